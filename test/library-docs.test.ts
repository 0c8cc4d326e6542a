import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { sourceRuleFacts } from "../src/client/check-source.ts";
import * as library from "../src/index.ts";

const root = join(import.meta.dirname, "..");
const page = await readFile(join(root, "docs/library.md"), "utf8");
const examples = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = ""]) => code);

/** What the comments behind console.log promise, in their order; a comma in one stands for two calls. */
const promised = (code: string): string[] =>
  [...code.matchAll(/console\.log\([^\n]*\); \/\/ (.*)$/gm)].flatMap(([, words = ""]) => words.split(", "));

test("every example of the library's page runs and prints what it says", async () => {
  expect(examples.length).toBeGreaterThanOrEqual(4);
  const directory = await mkdtemp(join(tmpdir(), "hub-library-"));
  try {
    for (const [at, code] of examples.entries()) {
      const file = join(directory, `example-${at}.mts`);
      const source = pathToFileURL(join(root, "src/index.ts")).href;
      await writeFile(file, code.replaceAll('"resourcesync-hub"', JSON.stringify(source)));
      const run = ["--import", import.meta.resolve("tsx"), file];
      const { stdout } = await promisify(execFile)(process.execPath, run, { cwd: root });
      expect(stdout.trim().split("\n")).toEqual(promised(code));
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});

test("every function and error that the package exports is on the page", () => {
  expect(Object.keys(library).filter((name) => !new RegExp(`\\b${name}\\b`).test(page))).toEqual([]);
});

test("every rule between documents has a row with its severity and what it demands", async () => {
  const follow = await readFile(join(root, "docs/validator-follow.md"), "utf8");
  const rows = [...follow.matchAll(/^\| ([SH]\d\d) +\| (\w+) +\| (.*?) +\|$/gm)];
  expect(rows.length).toBeGreaterThan(10);
  for (const [, id = "", severity, sentence] of rows) {
    expect(sourceRuleFacts(id)).toMatchObject({ severity, sentence });
  }
});
