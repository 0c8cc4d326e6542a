import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { sourceRuleFacts } from "../src/client/check-source.ts";
import * as library from "../src/index.ts";
import { freePort } from "../bench/harness/free-port.ts";
import { publisherToken, startTestHub, type TestHub } from "./support/start-hub.ts";

const root = join(import.meta.dirname, "..");
const page = await readFile(join(root, "docs/library.md"), "utf8");
const examples = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = ""]) => code);

/** What the comments behind console.log promise, in their order; a comma in one stands for two calls. */
const promised = (code: string): string[] =>
  [...code.matchAll(/console\.log\([^\n]*\); \/\/ (.*)$/gm)].flatMap(([, words = ""]) => words.split(", "));

/** The example as a program: at a hub of the test's own, with its callbacks on a port of this machine. */
async function programOf(code: string, hub: TestHub): Promise<string> {
  const port = await freePort();
  const source = pathToFileURL(join(root, "src/index.ts")).href;
  return code
    .replaceAll('"resourcesync-hub"', JSON.stringify(source))
    .replaceAll('"express"', JSON.stringify(import.meta.resolve("express")))
    .replaceAll("https://hub.example.org", hub.baseUrl)
    .replaceAll("https://destination.example.org", `http://127.0.0.1:${port}`)
    .replaceAll("9001", String(port))
    .replaceAll("rsp_the-token-of-a-publisher", publisherToken);
}

test("the check sees the examples", () => {
  expect(examples.length).toBeGreaterThanOrEqual(9);
});

test.each(examples.map((code, at) => ({ number: at + 1, code })))(
  "example $number of the library's page runs and prints what it says",
  async ({ code }) => {
    await using hub = await startTestHub();
    const file = join(hub.directory, "example.mts");
    await writeFile(file, await programOf(code, hub));
    const run = ["--import", import.meta.resolve("tsx"), file];
    const { stdout } = await promisify(execFile)(process.execPath, run, { cwd: root });
    expect(stdout.trim().split("\n").filter(Boolean)).toEqual(promised(code));
  },
);

test("every example of the library's page compiles as strictly as the library does", async () => {
  const directory = await mkdtemp(join(tmpdir(), "hub-library-"));
  try {
    const files = examples.map((_, at) => `example-${at}.mts`);
    for (const [at, file] of files.entries()) await writeFile(join(directory, file), examples[at] ?? "");
    const project = {
      extends: join(root, "tsconfig.json"),
      compilerOptions: {
        noUnusedLocals: false,
        noUnusedParameters: false,
        typeRoots: [join(root, "node_modules/@types")],
        paths: {
          "resourcesync-hub": [join(root, "src/index.ts")],
          express: [join(root, "node_modules/@types/express")],
        },
      },
      files,
      include: [],
    };
    await writeFile(join(directory, "tsconfig.json"), JSON.stringify(project));
    const compiling = promisify(execFile)(join(root, "node_modules/.bin/tsc"), ["-p", directory]);
    const complaints = await compiling.then(
      () => "",
      (error: { readonly stdout?: unknown }) => String(error.stdout),
    );
    expect(complaints).toBe("");
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
