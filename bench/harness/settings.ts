import type { EngineName, Settings } from "./bench.ts";

const engineNames: readonly EngineName[] = ["embedded", "redis"];
const valued = new Set(["--rounds", "--engine"]);
const plain = new Set(["--quick", "--deflate", "--all", "--write-docs"]);

/** Which benches, and how, by the words of the command line. */
export function settingsOf(
  words: readonly string[],
  benches: readonly string[],
): { readonly names: readonly string[]; readonly settings: Settings } {
  const names: string[] = [];
  const numbers: number[] = [];
  const flags = new Set<string>();
  const values = new Map<string, string>();
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (valued.has(word)) {
      at += 1;
      values.set(word, words[at] ?? "");
    } else if (plain.has(word)) flags.add(word);
    else if (/^\d+$/.test(word)) numbers.push(Number(word));
    else if (benches.includes(word)) names.push(word);
    else throw new Error(`"${word}" is no option and no bench; there are ${benches.join(", ")}`);
  }
  const isQuick = flags.has("--quick");
  const engine = values.get("--engine");
  const engines = engineNames.filter((name) => engine === undefined || name === engine);
  if (engines.length === 0) throw new Error(`--engine is ${engine}; there are ${engineNames.join(", ")}`);
  const rounds = Number(values.get("--rounds") ?? (isQuick ? 1 : 3));
  if (!(rounds >= 1)) throw new Error("--rounds takes a number from 1");
  return {
    names,
    settings: { rounds, isQuick, engines, numbers, flags },
  };
}
