import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { type EngineName, type FaultName, faultNames } from "./fault-kinds.ts";
import type { Rule } from "./observed.ts";
import type { RoundResult } from "./round.ts";

const directory = join(import.meta.dirname, "results");

const counted = z.object({
  rounds: z.number(),
  notifications: z.number(),
  deliveries: z.number(),
  lost: z.number(),
  disordered: z.number(),
  otherViolations: z.number(),
  repeats: z.number(),
});
const savedResults = z.object({
  engine: z.enum(["embedded", "redis"]),
  at: z.string(),
  seed: z.number(),
  rounds: z.number(),
  failed: z.number(),
  turnedAway: z.number(),
  /** Milliseconds. */
  slowestStart: z.number(),
  total: counted,
  byFault: z.record(z.string(), counted),
});

export type Counted = z.output<typeof counted>;
export type SavedResults = z.output<typeof savedResults>;

const countOf = (results: readonly RoundResult[]): Counted => {
  const sum = (of: (result: RoundResult) => number): number =>
    results.reduce((total, one) => total + of(one), 0);
  const violations = (rules: readonly Rule[], wanted = true): number =>
    sum((result) => result.violations.filter(({ rule }) => rules.includes(rule) === wanted).length);
  return {
    rounds: results.length,
    notifications: sum(({ notifications }) => notifications),
    deliveries: sum(({ deliveries }) => deliveries),
    lost: violations(["lost", "hole"]),
    disordered: violations(["reordered"]),
    otherViolations: violations(["lost", "hole", "reordered"], false),
    repeats: sum(({ repeats }) => repeats),
  };
};

/** Keeps what the last run of each engine came to, for the table in docs/reliability.md. */
export async function saveResults(
  engine: EngineName,
  seed: number,
  results: readonly RoundResult[],
  failed: number,
): Promise<void> {
  // Those that broke off have no result.
  const unplayed = failed - results.filter(({ violations }) => violations.length > 0).length;
  const withFault = (name: FaultName) =>
    results.filter(({ plan }) => plan.faults.some(({ kind }) => kind === name));
  const saved: SavedResults = {
    engine,
    at: new Date().toISOString(),
    seed,
    rounds: results.length + unplayed,
    failed,
    turnedAway: results.reduce((total, one) => total + one.turnedAway, 0),
    slowestStart: Math.round(Math.max(...results.map(({ slowestStart }) => slowestStart))),
    total: countOf(results),
    byFault: Object.fromEntries(
      faultNames.flatMap((name) => (withFault(name).length === 0 ? [] : [[name, countOf(withFault(name))]])),
    ),
  };
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, `${engine}.json`), `${JSON.stringify(saved, undefined, 2)}\n`);
}

export async function readResults(engine: EngineName): Promise<SavedResults | undefined> {
  const text = await readFile(join(directory, `${engine}.json`), "utf8").catch(() => undefined);
  return text === undefined ? undefined : savedResults.parse(JSON.parse(text));
}
