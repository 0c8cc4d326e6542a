import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join, relative } from "node:path";
import type { Settings } from "./bench.ts";
import type { Summary } from "./row.ts";

const root = join(import.meta.dirname, "../..");
const directory = join(root, "bench/results");

export interface Results {
  readonly name: string;
  readonly about: string;
  /** Date and time. */
  readonly at: string;
  readonly node: string;
  readonly cpus: number;
  readonly model: string;
  readonly rounds: number;
  readonly rows: readonly Summary[];
}

/** Writes what a bench has measured to bench/results, where a quick run never takes the place of a real one. */
export async function saveResults(
  bench: string,
  about: string,
  settings: Settings,
  rows: readonly Summary[],
): Promise<{ readonly about: string; readonly file: string }> {
  const name = settings.flags.has("--deflate") ? `${bench}-deflate` : bench;
  const model = cpus()[0]?.model ?? "unknown";
  const results: Results = {
    name,
    about,
    at: new Date().toISOString(),
    node: process.versions.node,
    cpus: cpus().length,
    model,
    rounds: settings.rounds,
    rows,
  };
  const folder = settings.isQuick ? join(directory, "quick") : directory;
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${name}.json`);
  await writeFile(file, `${JSON.stringify(results, undefined, 2)}\n`);
  return { about: machineOf(results), file: relative(root, file) };
}

export const machineOf = ({ cpus: cores, model, node }: Results): string =>
  `${cores} × ${model}, Node ${node}`;

/** What real runs have left, by name. */
export async function readResults(): Promise<ReadonlyMap<string, Results>> {
  const files = (await readdir(directory).catch(() => [])).filter((file) => file.endsWith(".json"));
  const results = new Map<string, Results>();
  for (const file of files.toSorted()) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this file wrote it
    const read = JSON.parse(await readFile(join(directory, file), "utf8")) as Results;
    results.set(read.name, read);
  }
  return results;
}
