/**
 * The bench suite: `npm run bench` runs every bench, `npm run bench -- NAME [words]` one. Each starts the built hub as a user runs it, its
 * load in other processes, and its baselines in the same rounds.
 *
 *   --rounds N   how often (3)     --quick   a few seconds in all     --engine embedded|redis   only one
 */
import { mkdir, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";
import type { Bench, EngineName, Settings } from "./harness/bench.ts";
import { summary } from "./harness/row.ts";
import { tableOf } from "./harness/table.ts";
import { liveFanout } from "./live-fanout.ts";

const benches: Readonly<Record<string, Bench>> = { "live-fanout": liveFanout };

function settingsOf(words: readonly string[]): {
  readonly names: readonly string[];
  readonly settings: Settings;
} {
  const valueOf = (flag: string): string | undefined =>
    words.includes(flag) ? words[words.indexOf(flag) + 1] : undefined;
  const values = new Set(["--rounds", "--engine"].map(valueOf));
  const plain = words.filter((word) => !word.startsWith("--") && !values.has(word));
  const names = plain.filter((word) => word in benches);
  const isQuick = words.includes("--quick");
  const engines: readonly EngineName[] = (["embedded", "redis"] as const).filter(
    (engine) => (valueOf("--engine") ?? engine) === engine,
  );
  const rounds = Number(valueOf("--rounds") ?? (isQuick ? 1 : 3));
  const flags = new Set(words.filter((word) => word.startsWith("--")));
  const unknown = plain.filter((word) => !(word in benches) && !/^\d+$/.test(word));
  if (unknown.length > 0) {
    throw new Error(`there is no bench ${unknown.join(", ")}; there are ${Object.keys(benches).join(", ")}`);
  }
  return {
    names: names.length > 0 ? names : Object.keys(benches),
    settings: { rounds, isQuick, engines, words: plain.filter((word) => !(word in benches)), flags },
  };
}

const { names, settings } = settingsOf(process.argv.slice(2));
const results = join(import.meta.dirname, "results");
await mkdir(results, { recursive: true });
for (const name of names) {
  const bench = benches[name];
  if (bench === undefined) continue;
  process.stderr.write(`${name}: ${bench.about}\n`);
  const summaries = (await bench.run(settings)).map(summary);
  const model = cpus()[0]?.model ?? "unknown";
  console.log(
    `\n${name}: ${bench.about}\n  medians of ${settings.rounds}, ${cpus().length} × ${model}, Node ${process.versions.node}`,
  );
  console.log(tableOf(summaries));
  const file = join(results, `${name}${settings.flags.has("--deflate") ? "-deflate" : ""}.json`);
  const about = {
    name,
    at: new Date().toISOString(),
    node: process.versions.node,
    cpus: cpus().length,
    model,
  };
  await writeFile(
    file,
    `${JSON.stringify({ ...about, settings: { ...settings, flags: [...settings.flags] }, rows: summaries }, undefined, 2)}\n`,
  );
}
