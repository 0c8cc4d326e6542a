import { chmod, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadConfig } from "../../src/config.ts";
import { tokenSha256 } from "../../src/security/access-token.ts";
import { startWorkplace } from "./load.ts";

test("the first start makes both tokens, for their owner only; the next one uses them", async () => {
  await using workplace = await startWorkplace();
  const start = () => loadConfig({ flags: { data: workplace.data }, env: {} });
  const first = await start();
  const file = join(workplace.data, "tokens.json");
  expect(first.tokens).toMatchObject({ file, made: true });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(workplace.data)).toEqual(["tokens.json"]);

  const { publisher, admin } = JSON.parse(await readFile(file, "utf8"));
  expect(first.config.publishers).toEqual([
    { name: "default", tokenSha256: tokenSha256(publisher), sets: "all" },
  ]);
  expect(first.config.admin).toEqual({ tokenSha256: tokenSha256(admin) });

  const second = await start();
  expect(second.tokens).toEqual({ file, publisher, admin, made: false, exposed: false });
  expect(second.config).toEqual(first.config);
});

test("of many starts at once one makes the tokens, and all use them", async () => {
  await using workplace = await startWorkplace();
  const starts = await Promise.all(
    Array.from({ length: 20 }, () => loadConfig({ flags: { data: workplace.data }, env: {} })),
  );
  expect(starts.filter(({ tokens }) => tokens?.made === true)).toHaveLength(1);
  expect(new Set(starts.map(({ tokens }) => tokens?.publisher)).size).toBe(1);
  expect(new Set(starts.map(({ config }) => config.admin?.tokenSha256)).size).toBe(1);
  expect(await readdir(workplace.data)).toEqual(["tokens.json"]);
});

test("only what the configuration leaves open is made", async () => {
  await using workplace = await startWorkplace();
  const { tokens } = await workplace.load("publishers: []");
  expect(tokens?.publisher).toBeUndefined();
  expect(Object.keys(JSON.parse(await readFile(join(workplace.data, "tokens.json"), "utf8")))).toEqual([
    "admin",
  ]);
  expect((await workplace.faults("")).at(-1)).toMatch(/holds no publisher token, .* remove the file/);
});

test("a kept token that the configuration replaces lets nobody in", async () => {
  await using workplace = await startWorkplace();
  await workplace.load("");
  const { config, tokens } = await workplace.load("publishers: []");
  expect(tokens).toMatchObject({ publisher: undefined, admin: expect.any(String) });
  expect(config.publishers).toEqual([]);
});

test.each([
  ["{ not json", /tokens\.json: not JSON; .* remove it/],
  ["[]", /tokens\.json: expected \{ "publisher": "…", "admin": "…" \}/],
  ['{ "publisher": "", "admin": "a-long-enough-token" }', /tokens\.json: expected/],
  ["", /tokens\.json: not JSON/],
])("a tokens.json that holds %j is refused with what to do", async (content, message) => {
  await using workplace = await startWorkplace();
  await mkdir(workplace.data);
  await writeFile(join(workplace.data, "tokens.json"), content);
  expect((await workplace.faults("")).at(-1)).toMatch(message);
});

test("tokens that others can read are warned of", async () => {
  await using workplace = await startWorkplace();
  await workplace.load("");
  await chmod(join(workplace.data, "tokens.json"), 0o644);
  expect((await workplace.load("")).warnings).toEqual([expect.stringMatching(/chmod 600 .*tokens\.json/)]);
});

test("a data directory that cannot be made is told", async () => {
  await using workplace = await startWorkplace();
  await writeFile(workplace.data, "a file");
  expect((await workplace.faults("")).at(-1)).toMatch(/data.*: /);
});
