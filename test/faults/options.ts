import { type EngineName, type FaultName, faultNames, isFaultName, kindOf } from "./fault-kinds.ts";

export interface Options {
  readonly mode: "run" | "list" | "plan" | "write-docs";
  readonly engines: readonly EngineName[];
  readonly rounds: number;
  readonly seed: number;
  readonly fault: FaultName | undefined;
  readonly atOnce: number;
}

const engineNames: readonly EngineName[] = ["embedded", "redis"];
const modes = { "--list": "list", "--plan": "plan", "--write-docs": "write-docs" } as const;
const valued = ["--engine", "--rounds", "--seed", "--fault", "--at-once"] as const;

/** By the words of the command line. Throws a sentence where one is wrong. */
export function optionsOf(words: readonly string[]): Options {
  const values = new Map<string, string>();
  let mode: Options["mode"] = "run";
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (isMode(word)) mode = modes[word];
    else if (valued.some((name) => name === word)) values.set(word, words[(at += 1)] ?? "");
    else
      throw new Error(`"${word}" is no option; there are ${[...valued, ...Object.keys(modes)].join(", ")}`);
  }
  const fault = values.get("--fault");
  if (fault !== undefined && !isFaultName(fault))
    throw new Error(`"${fault}" is no fault; there are ${faultNames.join(", ")}`);
  const engine = values.get("--engine");
  const engines = engineNames.filter(
    (name) =>
      (engine === undefined || engine === name) &&
      (fault === undefined || kindOf(fault).engines.includes(name)),
  );
  if (engines.length === 0) throw new Error(`--engine is ${engine}; there are ${engineNames.join(", ")}`);
  const whole = (name: string, usual: number): number => {
    const value = Number(values.get(name) ?? usual);
    if (!Number.isInteger(value) || value < 1) throw new Error(`${name} takes a whole number from 1`);
    return value;
  };
  return {
    mode,
    engines,
    rounds: whole("--rounds", 20),
    seed: whole("--seed", 1),
    fault,
    atOnce: whole("--at-once", 2),
  };
}

const isMode = (word: string): word is keyof typeof modes => Object.hasOwn(modes, word);
