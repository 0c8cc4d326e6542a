import { access } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadConfig } from "../../src/config.ts";
import { writeConfig } from "../../src/configuration/written-config.ts";
import { tokenSha256 } from "../../src/security/access-token.ts";
import { startWorkplace } from "./load.ts";

const example = join(import.meta.dirname, "../../examples/hub.yaml");

test("without a file there is one set, demo, on this machine only", async () => {
  await using workplace = await startWorkplace();
  const { config, origin } = await loadConfig({ flags: { data: workplace.data }, env: {} });
  expect(origin).toBe("defaults");
  expect(config).toMatchObject({
    baseUrl: "http://127.0.0.1:8080",
    listen: { host: "127.0.0.1", port: 8080 },
    storage: { engine: "embedded", data: workplace.data },
    sets: [{ id: "demo", title: "Demonstration set", profile: "auto", channels: "websub" }],
    outbound: { allow: ["127.0.0.0/8", "::1/128"] },
    leases: { default: 864_000, min: 300, max: 2_678_400 },
  });
});

test("flags win over the environment, the environment over the file", async () => {
  await using workplace = await startWorkplace();
  const yaml = "listen: { host: 127.0.0.2, port: 1 }\nlogging: { level: error }\nbaseUrl: https://file.org/";
  const { config, origin } = await workplace.load(yaml, {
    flags: { port: "3" },
    env: { HUB_PORT: "2", HUB_HOST: "127.0.0.3", HUB_LOG_FORMAT: "json", HUB_BASE_URL: "" },
  });
  expect(origin).toBe(workplace.file);
  expect(config.listen).toEqual({ host: "127.0.0.3", port: 3 });
  expect(config.logging).toEqual({ level: "error", format: "json" });
  expect(config.baseUrl).toBe("https://file.org");
});

test("HUB_CONFIG names the file where no flag does", async () => {
  await using workplace = await startWorkplace();
  await workplace.load("listen: { port: 9 }");
  const env = { HUB_CONFIG: workplace.file, HUB_DATA: workplace.data };
  expect((await loadConfig({ flags: {}, env })).config.listen.port).toBe(9);
});

test("a Redis URL chooses the Redis engine, wherever it comes from", async () => {
  await using workplace = await startWorkplace();
  const { config, warnings } = await workplace.load("storage: { prefix: mine }", {
    env: { HUB_REDIS: "redis://127.0.0.1:6379" },
  });
  expect(config.storage).toEqual({
    engine: "redis",
    url: "redis://127.0.0.1:6379",
    prefix: "mine",
    data: workplace.data,
  });
  expect(warnings).toEqual([expect.stringContaining("HUB_PUBLISHER_TOKEN")]);
});

test("a publisher's token from the environment is added to those of the file", async () => {
  await using workplace = await startWorkplace();
  const token = "from-the-environment";
  const hash = "b".repeat(64);
  const { config, tokens } = await workplace.load(
    `publishers: [{ name: filed, tokenSha256: ${hash.toUpperCase()}, sets: [demo] }]`,
    { env: { HUB_PUBLISHER_TOKEN: token, HUB_ADMIN_TOKEN: token } },
  );
  expect(tokens).toBeUndefined();
  expect(config.admin).toEqual({ tokenSha256: tokenSha256(token) });
  expect(config.publishers).toEqual([
    { name: "filed", tokenSha256: hash, sets: ["demo"] },
    { name: "environment", tokenSha256: tokenSha256(token), sets: "all" },
  ]);
});

test("a holder has several tokens while one is replaced; the environment's takes the place of the admin's", async () => {
  await using workplace = await startWorkplace();
  const [old, next] = ["a".repeat(64), "b".repeat(64)];
  const { config, warnings } = await workplace.load(
    `publishers: [{ name: filed, tokenSha256: [${old}, ${next}], sets: all }]
subscribers: [{ name: friend, tokenSha256: ${next}, sets: [demo] }]
admin: { tokenSha256: [${old}, ${next}], listen: { port: 9090 } }`,
    { env: { HUB_ADMIN_TOKEN: "from-the-environment", HUB_SUBSCRIBER_TOKEN: "for-another-command" } },
  );
  expect(config.publishers).toEqual([{ name: "filed", tokenSha256: [old, next], sets: "all" }]);
  expect(config.subscribers).toEqual([{ name: "friend", tokenSha256: next, sets: ["demo"] }]);
  expect(config.admin).toEqual({
    tokenSha256: tokenSha256("from-the-environment"),
    listen: { host: "127.0.0.1", port: 9090 },
  });
  expect(warnings).toEqual([]);
});

test("a token in the file is taken, with a warning that names its line", async () => {
  await using workplace = await startWorkplace();
  const { config, warnings } = await workplace.load("# mine\nadmin: { token: sixteen-or-more-x }");
  expect(config.admin?.tokenSha256).toBe(tokenSha256("sixteen-or-more-x"));
  expect(warnings).toEqual([
    expect.stringMatching(/hub\.yaml:2 admin\.token: a secret in a file is discouraged/),
  ]);
});

test("versions that YAML reads as numbers are versions", async () => {
  await using workplace = await startWorkplace();
  const { config } = await workplace.load("sets: [{ id: a, profile: 1.0 }, { id: b, profile: 0.8 }]");
  expect(config.sets.map(({ profile }) => profile)).toEqual(["1.0", "0.8"]);
});

test("what is hardly wanted is warned of", async () => {
  await using workplace = await startWorkplace();
  const { config, warnings } = await workplace.load("listen: { host: 0.0.0.0 }\nstorage: { prefix: x }", {
    env: { HUB_PROT: "1", HUB_TEST_REDIS_URL: "x", PATH: "/" },
  });
  expect(config.outbound.allow).toEqual([]);
  expect(warnings).toEqual([
    expect.stringMatching(/listens on 0\.0\.0\.0, .* set baseUrl/),
    "storage.prefix has no effect without storage.redis",
    "The hub does not read the variable HUB_PROT; did you mean HUB_PORT?",
  ]);
});

test("an address of the hub that is http and not local is warned of: secrets and tokens would travel openly", async () => {
  await using workplace = await startWorkplace();
  const open = await workplace.load("baseUrl: http://hub.example.org/rs");
  expect(open.warnings).toEqual([
    expect.stringMatching(/^baseUrl is http:\/\/hub\.example\.org\/rs: .* https:/),
  ]);
  for (const baseUrl of ["https://hub.example.org", "http://localhost:8080", "http://[::1]:8080"])
    expect((await workplace.load(`baseUrl: ${baseUrl}`)).warnings).toEqual([]);
});

test("a file of comments only leaves every default, but the loopback interface is called only if it says so", async () => {
  await using workplace = await startWorkplace();
  const { config } = await workplace.load("# nothing yet\n");
  expect(config.sets.map(({ id }) => id)).toEqual(["demo"]);
  expect(config.outbound.allow).toEqual([]);
});

test("the example is good, without a warning", async () => {
  await using workplace = await startWorkplace();
  const { config, warnings } = await loadConfig({
    flags: { config: example, data: workplace.data },
    env: {},
  });
  expect(warnings).toEqual([]);
  expect(config.sets.map(({ id }) => id)).toEqual(["catalogue", "theses", "embargoed", "press", "archive"]);
});

test.each([
  { flags: {} },
  { flags: { config: example } },
  { flags: { redis: "rediss://example.org:6380/2", host: "::", port: "0" } },
])("what is printed is read as the same configuration: $flags", async ({ flags }) => {
  await using workplace = await startWorkplace();
  const { config, tokensToMake } = await loadConfig({ flags: { data: workplace.data, ...flags }, env: {} });
  expect((await workplace.load(writeConfig(config, tokensToMake))).config).toEqual(config);
});

test("what is printed before the first start leaves the tokens to it", async () => {
  await using workplace = await startWorkplace();
  const flags = { data: workplace.data };
  const { config, tokensToMake } = await loadConfig({ flags, env: {}, tokens: "read" });
  const { tokens } = await workplace.load(writeConfig(config, tokensToMake));
  expect(tokens).toMatchObject({ made: true, publisher: expect.any(String), admin: expect.any(String) });
});

test("a password of Redis is not printed", async () => {
  await using workplace = await startWorkplace();
  const { config } = await workplace.load("", { flags: { redis: "redis://me:swordfish@127.0.0.1:6379" } });
  const printed = writeConfig(config, { publisher: false, admin: false });
  expect(printed).not.toContain("swordfish");
  expect(printed).toContain("redis: redis://me@127.0.0.1:6379");
});

test("reading alone makes no tokens", async () => {
  await using workplace = await startWorkplace();
  const flags = { data: workplace.data };
  const { config, tokens, tokensToMake } = await loadConfig({ flags, env: {}, tokens: "read" });
  expect(tokens).toBeUndefined();
  expect(tokensToMake).toEqual({ publisher: true, admin: true });
  expect(config.publishers).toEqual([]);
  expect(config.admin).toBeUndefined();
  await expect(access(workplace.data)).rejects.toThrow("ENOENT");
});
