/**
 * The bench suite: `npm run bench` runs every bench but soak, `npm run bench -- NAME [numbers]` one. Each starts the built hub as a user
 * runs it, its load in other processes, and its baselines in the same rounds.
 *
 *   --rounds N   how often (3)     --quick   a few seconds in all     --engine embedded|redis   only one
 *   --write-docs   puts the figures of bench/results into docs/performance.md, and runs nothing
 */
import { benches } from "./benches.ts";
import type { Settings } from "./harness/bench.ts";
import { writePerformancePage } from "./harness/performance-page.ts";
import { saveResults } from "./harness/results.ts";
import { summary } from "./harness/row.ts";
import { settingsOf } from "./harness/settings.ts";
import { tableOf } from "./harness/table.ts";

const { names, settings } = settingsOf(process.argv.slice(2), Object.keys(benches));
if (settings.flags.has("--write-docs")) {
  await writePerformancePage();
} else {
  for (const name of names.length > 0 ? names : unnamed(settings)) await run(name);
}

function unnamed({ isQuick }: Settings): readonly string[] {
  return Object.keys(benches).filter((name) => isQuick || benches[name]?.runsOnlyByName !== true);
}

async function run(name: string): Promise<void> {
  const bench = benches[name];
  if (bench === undefined) return;
  process.stderr.write(`${name}: ${bench.about}\n`);
  const rows = (await bench.run(settings)).map(summary);
  const { about, file } = await saveResults(name, bench.about, settings, rows);
  console.log(`\n${name}: ${bench.about}\n  medians of ${settings.rounds}, ${about}`);
  console.log(`${tableOf(rows)}\n  ${file}`);
}
