import type { Row } from "./row.ts";

export type EngineName = "embedded" | "redis";

export interface Settings {
  readonly rounds: number;
  /** A few seconds in all, to see that it works; the figures mean nothing. */
  readonly isQuick: boolean;
  readonly engines: readonly EngineName[];
  /** Numbers after the name of the bench, such as sizes. */
  readonly numbers: readonly number[];
  readonly flags: ReadonlySet<string>;
}

export interface Bench {
  /** What is measured, in a line. */
  readonly about: string;
  /** It takes so long that it is not run with the others. */
  readonly runsOnlyByName?: boolean;
  run(settings: Settings): Promise<readonly Row[]>;
}

/** Runs all contenders in each round, so that what slows the machine for a while slows all of them. */
export async function inRounds<Name extends string, Figures>(
  rounds: number,
  contenders: Readonly<Record<Name, () => Promise<Figures>>>,
): Promise<Record<Name, Figures[]>> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Object.keys forgets the names
  const names = Object.keys(contenders) as Name[];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- so does Object.fromEntries
  const figures = Object.fromEntries(names.map((name) => [name, [] as Figures[]])) as Record<Name, Figures[]>;
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) {
      const measured = await contenders[name]();
      figures[name].push(measured);
      process.stderr.write(`  round ${round + 1}: ${name} ${JSON.stringify(measured)}\n`);
    }
  }
  return figures;
}

/** One figure of every round of every contender. */
export function pick<Name extends string, Figures>(
  figures: Readonly<Record<Name, readonly Figures[]>>,
  of: (figures: Figures) => number,
): Record<Name, number[]> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Object.keys forgets the names
  const names = Object.keys(figures) as Name[];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- so does Object.fromEntries
  return Object.fromEntries(names.map((name) => [name, figures[name].map(of)])) as Record<Name, number[]>;
}
