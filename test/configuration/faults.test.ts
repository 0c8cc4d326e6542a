import { expect, test } from "vitest";
import { startWorkplace } from "./load.ts";

const hash = "a".repeat(64);

/** What stands in the file, and the line that tells what is wrong with it. */
const wrong: readonly (readonly [yaml: string, message: string])[] = [
  ["sets:\n  - id: a\n    profil: auto", 'hub.yaml:3:5 sets[0].profil: unknown key; did you mean "profile"?'],
  ["base_url: https://e.org", 'hub.yaml:1:1 base_url: unknown key; did you mean "baseUrl"?'],
  ["listen:\n  host: ::1\nport: 80", 'hub.yaml:3:1 port: unknown key; did you mean "listen.port"?'],
  ["shutdown: { xyz: 1 }", "hub.yaml:1:13 shutdown.xyz: unknown key; known here: within"],
  [
    "listen: { port: eighty }",
    'hub.yaml:1:11 listen.port: "eighty" stands here; expected a whole number from 0 to 65535',
  ],
  [
    "delivery:\n  timeout: 10",
    "hub.yaml:2:3 delivery.timeout: 10 stands here; expected a duration from 100ms to 5m with its unit, such as 500ms, 10s, 5m, 72h or 30d",
  ],
  [
    "delivery: { retry: [5s, soon] }",
    'hub.yaml:1:25 delivery.retry[1]: "soon" stands here; expected a duration from 100ms to 7d with its unit, such as 500ms, 10s, 5m, 72h or 30d',
  ],
  [
    "delivery: { retry: [] }",
    "hub.yaml:1:13 delivery.retry: an empty list stands here; expected a list of at least one entry",
  ],
  [
    "limits: { notificationBytes: 51MB }",
    'hub.yaml:1:11 limits.notificationBytes: "51MB" stands here; expected a size from 1kB to 50MB with its unit, such as 64kB or 2MB',
  ],
  [
    "leases: { min: 20d }",
    "hub.yaml:1:1 leases: min is 20d, default 10d, max 31d; expected min ≤ default ≤ max",
  ],
  [
    "callbacks: { allow: [https://ex*mple.org/] }",
    'hub.yaml:1:22 callbacks.allow[0]: "https://ex*mple.org/" stands here; expected an http:// or https:// URL, with * for anything in its path, as its host, or as *. before its host',
  ],
  ["log:\nlisten: {}", "hub.yaml:1:1 log: nothing stands here; expected keys with values (`key: value`)"],
  ["sets: demo", 'hub.yaml:1:1 sets: "demo" stands here; expected a list'],
  ["sets: []", "hub.yaml:1:1 sets: an empty list stands here; expected a list of at least one entry"],
  [
    "sets:\n  - id: a\n  - id: b\n  - id: a",
    'hub.yaml:4:5 sets[2].id: "a" stands at sets[0].id already; each needs its own',
  ],
  [
    "sets:\n  - title: Nameless",
    "hub.yaml:2:5 sets[0].id: missing; expected the id of a set: letters, digits, `.`, `_` and `-`, at most 64, beginning with a letter or digit",
  ],
  [
    "sets:\n  - id: a\n    profile: 1.1",
    'hub.yaml:3:5 sets[0].profile: 1.1 stands here; expected auto, "1.0.1", "1.0" or "0.8"',
  ],
  [
    "sets:\n  - id: a\n    topics: { change-notification: https://s.org/t }\n  - id: b\n    topics: { change-notification: https://S.org/%74 }",
    'hub.yaml:5:15 sets[1].topics.change-notification: "https://s.org/t" stands at sets[0].topics.change-notification already; each needs its own',
  ],
  [
    `publishers:\n  - { name: p, tokenSha256: ${hash}, sets: [elsewhere] }`,
    'hub.yaml:2:102 publishers[0].sets[0]: no set has the id "elsewhere"; the sets are demo',
  ],
  [
    `publishers:\n  - { name: p, tokenSha256: ${hash} }`,
    "hub.yaml:2:5 publishers[0].sets: missing; expected `all` or a list of ids of sets",
  ],
  [
    `publishers:\n  - { name: p, tokenSha256: ${hash}, sets: all }\n  - { name: p, tokenSha256: ${hash}, sets: all }`,
    'hub.yaml:3:7 publishers[1].name: "p" stands at publishers[0].name already; each needs its own',
  ],
  [
    "admin: { tokenSha256: swordfish }",
    "hub.yaml:1:10 admin.tokenSha256: something else stands here (not shown, it may be a secret); expected a SHA-256 in 64 hexadecimal digits (`resourcesync-hub token new` prints one), or a list of up to 10",
  ],
  [
    `admin: { tokenSha256: [${hash}, swordfish] }`,
    "hub.yaml:1:10 admin.tokenSha256: something else stands here (not shown, it may be a secret); expected a SHA-256 in 64 hexadecimal digits (`resourcesync-hub token new` prints one), or a list of up to 10",
  ],
  [
    `admin: { tokenSha256: [${Array.from({ length: 11 }, () => hash).join(", ")}] }`,
    "hub.yaml:1:10 admin.tokenSha256: something else stands here (not shown, it may be a secret); expected a SHA-256 in 64 hexadecimal digits (`resourcesync-hub token new` prints one), or a list of up to 10",
  ],
  [
    "admin: { listen: {} }",
    "hub.yaml:1:10 admin.listen.port: missing; expected a whole number from 0 to 65535",
  ],
  [
    `subscribers:\n  - { name: s, tokenSha256: ${hash}, sets: [elsewhere] }`,
    'hub.yaml:2:102 subscribers[0].sets[0]: no set has the id "elsewhere"; the sets are demo',
  ],
  [
    "sets:\n  - id: a\n    access: secret",
    'hub.yaml:3:5 sets[0].access: "secret" stands here; expected public or private',
  ],
  [
    "jwt: { issuer: a, audience: b, keys: http://login.example.org/jwks.json }",
    'hub.yaml:1:32 jwt.keys: "http://login.example.org/jwks.json" stands here; expected the https:// URL of a JWK Set, or the name of a file with one',
  ],
  [
    "jwt: { issuer: a, audience: b, keys: keys.json, algorithms: [HS256] }",
    'hub.yaml:1:62 jwt.algorithms[0]: "HS256" stands here; expected RS256, ES256 or EdDSA',
  ],
  [
    "trustProxy: all",
    'hub.yaml:1:1 trustProxy: "all" stands here; expected none, the number of proxies in front (1 to 10), or a list of their addresses and ranges',
  ],
  [
    "cors: { origins: [https://app.example.org/] }",
    "hub.yaml:1:9 cors.origins: a list stands here; expected `all` or a list of origins such as https://app.example.org",
  ],
  ["tls: { cert: hub.crt }", "hub.yaml:1:1 tls.key: missing; expected the name of a file"],
  ["admin: {}", "hub.yaml:1:1 admin: neither of tokenSha256 and token stand here; expected one of them"],
  [
    "outbound: { allow: [10.1.0.0/33] }",
    'hub.yaml:1:21 outbound.allow[0]: "10.1.0.0/33" stands here; expected an IP address or a range such as 10.1.0.0/16 or fd00::/8',
  ],
  [
    "outbound: { allow: [10] }",
    "hub.yaml:1:21 outbound.allow[0]: 10 stands here; expected an IP address or a range such as 10.1.0.0/16 or fd00::/8",
  ],
  [
    "topics:\n  - match: https://*.example.org/",
    'hub.yaml:2:5 topics[0].match: "https://*.example.org/" stands here; expected an http:// or https:// URL, with * after the host for anything',
  ],
  ["topics:\n  - {}", "hub.yaml:2:5 topics[0]: neither of match and url stand here; expected one of them"],
  [
    "topics:\n  - { match: https://e.org/*, url: https://e.org/a }",
    "hub.yaml:2:5 topics[0]: both of match and url stand here; expected one of them",
  ],
  [
    "baseUrl: ftp://e.org",
    'hub.yaml:1:1 baseUrl: "ftp://e.org" stands here; expected an http:// or https:// URL without query, such as https://hub.example.org',
  ],
  [
    "log: { keep: 1d }\nlog: { keep: 2d }",
    'hub.yaml:2:1: the key "log" stands here a second time; keep one of the two',
  ],
  ["log:\n\tkeep: 1d", "hub.yaml:2:1: a tab indents this line; YAML takes spaces only"],
  ["log: {}\n---\nlog: {}", "hub.yaml:2:1: a second document begins here; hub.yaml is a single one"],
];

test.each(wrong)("%j is told with its line", async (yaml, message) => {
  await using workplace = await startWorkplace();
  expect(await workplace.faults(yaml)).toEqual(["The configuration has a fault:", `  ${message}`]);
});

test("YAML that cannot be read is told with its line", async () => {
  await using workplace = await startWorkplace();
  const [, line] = await workplace.faults("log: {}\nsets: [\n  - id");
  expect(line).toMatch(/^ {2}hub\.yaml:3:\d+: not YAML: /);
});

test("every fault of file, environment and flags stands in one message, in the order of the file", async () => {
  await using workplace = await startWorkplace();
  const yaml = `publishers:\n  - { name: p, tokenSha256: ${hash}, sets: [gone] }\nbaseUrl: example.org\nlgo: {}`;
  const lines = await workplace.faults(yaml, {
    flags: { port: "70000", redis: "http://e.org" },
    env: { HUB_LOG_LEVEL: "loud", HUB_OUTBOUND_ALLOW: "10.0.0.1, nonsense", HUB_ADMIN_TOKEN: "too short" },
  });
  expect(lines).toEqual([
    "The configuration has 8 faults:",
    '  hub.yaml:2:102 publishers[0].sets[0]: no set has the id "gone"; the sets are demo',
    '  hub.yaml:3:1 baseUrl: "example.org" stands here; expected an http:// or https:// URL without query, such as https://hub.example.org',
    '  hub.yaml:4:1 lgo: unknown key; did you mean "log"?',
    "  --port: 70000 stands here; expected a whole number from 0 to 65535",
    "  --redis: something else stands here (not shown, it may be a secret); expected a redis:// or rediss:// URL",
    "  HUB_ADMIN_TOKEN: something else stands here (not shown, it may be a secret); expected a token of 16 to 512 letters, digits and -._~+/ (`resourcesync-hub token new` makes one)",
    '  HUB_OUTBOUND_ALLOW: "nonsense" stands here; expected an IP address or a range such as 10.1.0.0/16 or fd00::/8',
    '  HUB_LOG_LEVEL: "loud" stands here; expected trace, debug, info, warn, error, fatal or silent',
  ]);
});

test("a file that does not exist is named", async () => {
  await using workplace = await startWorkplace();
  const lines = await workplace.faults("", { flags: { config: "nowhere.yaml" } });
  expect(lines.at(-1)).toBe("  nowhere.yaml: cannot be read: ENOENT: no such file or directory");
});

test("an alias leads to the line of what it stands for", async () => {
  await using workplace = await startWorkplace();
  const yaml = "live: &same\n  pingInterval: 30s\nshutdown: *same";
  expect((await workplace.faults(yaml)).at(-1)).toBe(
    '  hub.yaml:2:3 shutdown.pingInterval: unknown key; did you mean "live.pingInterval"?',
  );
});
