import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { benches } from "../bench/benches.ts";

const root = join(import.meta.dirname, "..");

/** Runs the suite as `npm run bench` does, for some seconds. Figures are never judged here. */
async function run(...words: string[]): Promise<string> {
  const args = ["--import", "tsx", "bench/main.ts", "--quick", ...words];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, timeout: 280_000 });
  return stdout;
}

test("every bench runs on embedded storage", { timeout: 300_000 }, async () => {
  const names = Object.keys(benches).filter((name) => name !== "processes");
  const printed = await run("--engine", "embedded", ...names);
  for (const name of names) expect(printed).toContain(`bench/results/quick/${name}.json`);
  expect(printed).toMatch(/deliveries missing at the end +0 /);
  expect(printed).not.toContain("NaN");
});

test("benches of several processes run on Redis", { timeout: 300_000 }, async () => {
  const printed = await run("--engine", "redis", "processes");
  expect(printed).toMatch(/two processes, \d+ subscriptions: deliveries +\d/);
  expect(printed).not.toContain("NaN");
});
