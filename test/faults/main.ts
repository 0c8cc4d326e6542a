/**
 * Crash and fault tests: `npm run test:faults`. Starts the built hub as a process, publishes to it, does to it what happens to programs,
 * and checks that nothing acknowledged was lost (docs/reliability.md).
 *
 *   --engine embedded|redis   only one        --rounds N   of each engine (20)       --seed N   of the first round (1)
 *   --fault NAME   only this kind of fault    --at-once N  rounds at a time (2)      --list     the kinds of faults
 *   --plan         prints the plans only      --write-docs puts what ran into docs/reliability.md, and runs nothing
 */
import { type EngineName, faultNames, kindOf } from "./fault-kinds.ts";
import { optionsOf } from "./options.ts";
import { describePlan, planOf } from "./plan.ts";
import { writeReliabilityPage } from "./reliability-page.ts";
import { saveResults } from "./results.ts";
import { runRounds } from "./run-rounds.ts";

const options = optionsOf(process.argv.slice(2));

async function runEngine(engine: EngineName): Promise<void> {
  const plans = Array.from({ length: options.rounds }, (_, index) =>
    planOf(engine, options.seed + index, options.fault),
  );
  if (options.mode === "plan") {
    for (const plan of plans) process.stdout.write(`${describePlan(plan)}\n`);
    return;
  }
  const tell = (line: string): void => void process.stdout.write(`${line}\n`);
  const isWhole = options.fault === undefined;
  const { failed } = await runRounds(plans, options.atOnce, tell, async (results, broken) => {
    if (isWhole) await saveResults(engine, options.seed, results, broken);
  });
  if (failed > 0) process.exitCode = 1;
}

if (options.mode === "list") {
  for (const name of faultNames) {
    const { engines, what } = kindOf(name);
    process.stdout.write(`${name.padEnd(24)} ${engines.join(", ").padEnd(16)} ${what}\n`);
  }
} else if (options.mode === "write-docs") await writeReliabilityPage();
else for (const engine of options.engines) await runEngine(engine);
// Whatever a broken round has left running ends with it.
process.exit();
