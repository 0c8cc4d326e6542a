import { assert, property, string, webUrl } from "fast-check";
import { expect, test } from "vitest";
import { originOf, parseHttpUrl } from "../../src/protocol/http-url.ts";
import { callbackWith, comparableUrl, newChallenge, parseHubForm } from "../../src/protocol/websub.ts";

const topic = "https://hub.example/sets/a/change-notification";
const callback = "https://sub.example/callback?k=1";
const subscribe = { "hub.mode": "subscribe", "hub.topic": topic, "hub.callback": callback };

function parse(parameters: Record<string, string> | string) {
  return parseHubForm(
    Buffer.from(typeof parameters === "string" ? parameters : new URLSearchParams(parameters).toString()),
  );
}

function faultsOf(parameters: Record<string, string> | string): readonly string[] {
  const form = parse(parameters);
  return form.kind === "faults" ? form.faults : [];
}

test("H1, H2, H7: a subscribe request is read with its secret and its lease", () => {
  expect(parse({ ...subscribe, "hub.secret": "s3cret", "hub.lease_seconds": "86400" })).toEqual({
    kind: "subscribe",
    topic,
    callback,
    secret: "s3cret",
    leaseSeconds: 86_400,
  });
});

test("H2, H7: secret and lease may be left out, or empty", () => {
  const expected = { kind: "subscribe", topic, callback, secret: undefined, leaseSeconds: undefined };
  expect(parse(subscribe)).toEqual(expected);
  expect(parse({ ...subscribe, "hub.secret": "", "hub.lease_seconds": "" })).toEqual(expected);
});

test("H1: values are decoded as UTF-8, plus signs are spaces, and the order is free", () => {
  const body =
    "hub.secret=cl%C3%A9+1&hub.callback=https%3A%2F%2Fs.example%2Fc&hub.topic=https%3A%2F%2Fh.example%2Ft&hub.mode=subscribe";
  expect(parse(body)).toMatchObject({ secret: "clé 1", callback: "https://s.example/c" });
});

test("H1: a value that is not UTF-8 is a fault, not a garbled secret", () => {
  expect(faultsOf(`${new URLSearchParams(subscribe).toString()}&hub.secret=%FF%FE`)).toEqual([
    "hub.secret is not UTF-8; encode the form in UTF-8 (WebSub §5.1).",
  ]);
});

test("H3: a secret of 199 bytes is taken, one of 200 is refused", () => {
  expect(parse({ ...subscribe, "hub.secret": "x".repeat(199) }).kind).toBe("subscribe");
  expect(faultsOf({ ...subscribe, "hub.secret": "x".repeat(200) })).toEqual([
    "hub.secret has 200 bytes in UTF-8; at most 199 are allowed (WebSub §5.1).",
  ]);
});

test("H3: the secret is counted in bytes, not in characters", () => {
  expect(parse({ ...subscribe, "hub.secret": "é".repeat(99) }).kind).toBe("subscribe");
  expect(faultsOf({ ...subscribe, "hub.secret": "é".repeat(100) })[0]).toContain("200 bytes");
});

test("H4: parameters that are not known are ignored", () => {
  expect(parse({ ...subscribe, "hub.verify": "sync", foo: "bar", "hub.verify_token": "x" }).kind).toBe(
    "subscribe",
  );
});

test("H6, H8: an unsubscribe request ignores a malformed lease and a secret", () => {
  const body = {
    ...subscribe,
    "hub.mode": "unsubscribe",
    "hub.lease_seconds": "soon",
    "hub.secret": "x".repeat(500),
  };
  expect(parse(body)).toEqual({ kind: "unsubscribe", topic, callback });
});

test.each(["0", "-1", "1.5", "1e3", "ten", " 5", "0x10"])("H7: a lease of %j is a fault", (lease) => {
  expect(faultsOf({ ...subscribe, "hub.lease_seconds": lease })).toEqual([
    `hub.lease_seconds is "${lease}"; it must be a positive decimal integer (WebSub §5.1).`,
  ]);
});

test.each([
  ["ftp://e.org/x", "is not an absolute http(s) URL"],
  ["/callback", "is not an absolute http(s) URL"],
  ["javascript:alert(1)", "is not an absolute http(s) URL"],
  ["http:/e.org/x", "is not an absolute http(s) URL"],
  ["http://e.org:99999/", "is not an absolute http(s) URL"],
  ["http://e.org/a b", "has a space, control character or backslash"],
  ["http://e.org\\@127.0.0.1/", "has a space, control character or backslash"],
  ["http://user:word@e.org/", "has a user name or password in it"],
  [`http://e.org/${"a".repeat(5000)}`, "is longer than 4096 characters"],
])("H13: %.40s is refused as topic and as callback", (url, fault) => {
  expect(faultsOf({ ...subscribe, "hub.topic": url, "hub.callback": url })).toEqual([
    `hub.topic ${fault}; it must be an absolute http(s) URL (WebSub §5.1).`,
    `hub.callback ${fault}; it must be an absolute http(s) URL (WebSub §5.1).`,
  ]);
});

test("H13: a callback with a fragment is refused: a fragment is never sent", () => {
  expect(faultsOf({ ...subscribe, "hub.callback": "https://sub.example/c#frag" })).toEqual([
    "hub.callback has a fragment (#…), which is never sent; leave it out.",
  ]);
});

test("H23: every fault of a request is told at once", () => {
  expect(
    faultsOf({ "hub.mode": "subscrib", "hub.secret": "x".repeat(200), "hub.lease_seconds": "-5" }),
  ).toEqual([
    'hub.mode is "subscrib"; it must be subscribe, unsubscribe or publish (WebSub §5.1).',
    "hub.topic is missing; give an absolute http(s) URL.",
    "hub.callback is missing; give an absolute http(s) URL.",
    "hub.secret has 200 bytes in UTF-8; at most 199 are allowed (WebSub §5.1).",
    'hub.lease_seconds is "-5"; it must be a positive decimal integer (WebSub §5.1).',
  ]);
  expect(faultsOf("")).toHaveLength(3);
});

test("H1: a parameter that says two things at once is a fault; the same thing twice is not", () => {
  const body = new URLSearchParams(subscribe).toString();
  expect(faultsOf(`${body}&hub.mode=unsubscribe`)).toEqual([
    "hub.mode is given more than once; give it once.",
  ]);
  expect(parse(`${body}&hub.mode=subscribe`).kind).toBe("subscribe");
});

test("§6: publish names topics in hub.url or hub.topic, one or many", () => {
  const body =
    "hub.mode=publish&hub.url=https://e.org/1&hub.url=https://e.org/2&hub.topic=https://e.org/3&hub.topic=https://e.org/1";
  expect(parse(body)).toEqual({
    kind: "publish",
    topics: ["https://e.org/1", "https://e.org/2", "https://e.org/3"],
  });
});

test("§6: publish without a topic, or with one that is no URL, is a fault", () => {
  expect(faultsOf("hub.mode=publish")).toEqual([
    "hub.url is missing; name the topic that changed in hub.url or hub.topic.",
  ]);
  expect(faultsOf("hub.mode=publish&hub.url=nowhere&hub.topic=")).toHaveLength(2);
});

test.each([
  ["http://e.org/c", "http://e.org/c?hub.mode=subscribe&hub.topic=http%3A%2F%2Fe.org%2Ft%3Fa%3D1%26b"],
  ["http://e.org/c?", "http://e.org/c?hub.mode=subscribe&hub.topic=http%3A%2F%2Fe.org%2Ft%3Fa%3D1%26b"],
  [
    "http://e.org/c?a=%7E&b='x'&c=|",
    "http://e.org/c?a=%7E&b='x'&c=|&hub.mode=subscribe&hub.topic=http%3A%2F%2Fe.org%2Ft%3Fa%3D1%26b",
  ],
  [
    "http://e.org/c?a=1&",
    "http://e.org/c?a=1&hub.mode=subscribe&hub.topic=http%3A%2F%2Fe.org%2Ft%3Fa%3D1%26b",
  ],
  ["http://e.org/c#f", "http://e.org/c?hub.mode=subscribe&hub.topic=http%3A%2F%2Fe.org%2Ft%3Fa%3D1%26b#f"],
])("H16: parameters go after the query of %s, which stays byte for byte", (url, expected) => {
  expect(callbackWith(url, { "hub.mode": "subscribe", "hub.topic": "http://e.org/t?a=1&b" })).toBe(expected);
});

test("H17: parameters of the same name in the callback are not overwritten", () => {
  expect(callbackWith("http://e.org/?hub.mode=mine", { "hub.mode": "subscribe" })).toBe(
    "http://e.org/?hub.mode=mine&hub.mode=subscribe",
  );
});

test("H16, H17: whatever the query, it is kept and the values come back", () => {
  assert(
    property(webUrl({ withQueryParameters: true }), string({ unit: "grapheme" }), (url, value) => {
      const added = callbackWith(url, { "hub.topic": value });
      expect(added.startsWith(url)).toBe(true);
      expect(new URL(added).searchParams.getAll("hub.topic").at(-1)).toBe(value);
    }),
  );
});

test.each([
  ["HTTP://E.ORG:80/%7Euser", "http://e.org/~user"],
  ["https://e.org:443", "https://e.org/"],
  ["http://e.org/%c3%a4", "http://e.org/ä"],
  ["http://e.org/%41%2d%2E%5f?%7e", "http://e.org/A-._?~"],
  ["http://bücher.example/", "http://xn--bcher-kva.example/"],
])("H15: %s and %s are the same", (a, b) => {
  expect(comparableUrl(a)).toBe(comparableUrl(b));
});

test.each([
  ["http://e.org/a%2Fb", "http://e.org/a/b"],
  ["http://e.org/a%3Fb", "http://e.org/a?b"],
  ["http://e.org/Path", "http://e.org/path"],
  ["http://e.org/t", "http://e.org/t/"],
  ["http://e.org/t", "https://e.org/t"],
  ["http://e.org/t?", "http://e.org/t"],
])("H15: %s and %s differ", (a, b) => {
  expect(comparableUrl(a)).not.toBe(comparableUrl(b));
});

test("H15: comparing twice changes nothing more", () => {
  assert(
    property(webUrl({ withQueryParameters: true }), (url) => {
      expect(comparableUrl(comparableUrl(url))).toBe(comparableUrl(url));
    }),
  );
});

test("H41, H42: a challenge has 43 characters of those that are allowed, and never comes twice", () => {
  const challenges = Array.from({ length: 1000 }, newChallenge);
  for (const challenge of challenges) expect(challenge).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(new Set(challenges).size).toBe(1000);
});

test("H75: path and query are sent as they were written; only what HTTP cannot carry is encoded", () => {
  expect(parseHttpUrl("http://e.org/a/../%7E/./?a=%7E&b='x'&c=\"<>|{}ä")).toMatchObject({
    origin: "http://e.org",
    target: "/a/../%7E/./?a=%7E&b='x'&c=\"<>|{}%C3%A4",
  });
  expect(parseHttpUrl("http://e.org?x")).toMatchObject({ target: "/?x" });
  expect(parseHttpUrl("http://e.org")).toMatchObject({ target: "/" });
});

test("w3c/websub #171: of a callback only the origin is shown", () => {
  expect(originOf("https://sub.example:8443/secret?key=1")).toBe("https://sub.example:8443");
  expect(originOf("nonsense")).toBe("(not an http URL)");
});
