import { describePlan, type Plan, planOf } from "./plan.ts";
import { type RoundResult, runRound } from "./round.ts";

/** Runs the rounds of one engine, some at a time, and tells how each went. */
export async function runRounds(
  plans: readonly Plan[],
  atOnce: number,
  tell: (line: string) => void,
  /** Called after each round with what came of all so far. */
  save: (results: readonly RoundResult[], failed: number) => Promise<void> = async () => {},
  play: typeof runRound = runRound,
) {
  const [first] = plans;
  const results: RoundResult[] = [];
  let failed = 0;
  if (first === undefined) return { results, failed };
  // Where nothing happens at all, everything must hold; or else nothing can be said of the others.
  const calm = await play({ ...planOf(first.engine, 1), hubs: 1, faults: [], rest: 1500 }, undefined);
  if (calm.violations.length > 0) {
    tell(lineOf(calm));
    tellOfViolations(calm, tell);
    tell(`${first.engine}: the round in which nothing happens does not hold; no other was played`);
    return { results, failed: plans.length };
  }

  async function run(plan: Plan): Promise<void> {
    try {
      const result = await play(plan, calm.kinds);
      results.push(result);
      tell(lineOf(result));
      if (result.violations.length === 0) return;
      tellOfViolations(result, tell);
    } catch (error) {
      tell(`BROKEN  ${describePlan(plan)}\n    ${describe(error)}`);
    }
    failed += 1;
    tell(`    again: ${commandOf(plan)}`);
  }

  const waiting = [...plans];
  const worker = async (): Promise<void> => {
    for (let plan = waiting.shift(); plan !== undefined; plan = waiting.shift()) {
      await run(plan);
      await save(results, failed);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  tell(`${first.engine}: ${plans.length - failed} of ${plans.length} rounds hold`);
  return { results, failed };
}

function tellOfViolations({ violations, directory }: RoundResult, tell: (line: string) => void): void {
  for (const { rule, who, detail } of violations.slice(0, 10)) tell(`    ${rule}, ${who}: ${detail}`);
  tell(`    logs of the hubs: ${directory}`);
}

const commandOf = ({ engine, seed, faults: [fault] }: Plan): string => {
  const usual = planOf(engine, seed).faults[0]?.kind;
  const named = fault === undefined || fault.kind === usual ? "" : ` --fault ${fault.kind}`;
  return `npm run test:faults -- --engine ${engine} --seed ${seed} --rounds 1${named}`;
};

function lineOf({ plan, violations, notifications, deliveries, repeats, milliseconds }: RoundResult): string {
  const how = violations.length === 0 ? "holds " : "BROKEN";
  const counts = `${notifications} notifications, ${deliveries} deliveries, ${repeats} repeats`;
  return `${how}  ${(milliseconds / 1000).toFixed(1)} s  ${describePlan(plan)}: ${counts}`;
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${describe(error.cause)}`;
}
