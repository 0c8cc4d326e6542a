import { expect, test } from "vitest";
import { callbackMatcher, parseCallbackPattern } from "../../src/protocol/callback-pattern.ts";

const matches = (pattern: string, callback: string): boolean => callbackMatcher([pattern])(callback);

test.each([
  ["https://*.example.org/*", "https://a.example.org/hook?k=1"],
  ["https://*.example.org/*", "HTTPS://A.B.Example.ORG:443/"],
  ["https://example.org/hooks/*", "https://example.org/hooks/7"],
  ["https://example.org/hooks/*/in", "https://example.org/hooks/a/b/in"],
  ["https://example.org/~a/*", "https://example.org/%7Ea/x"],
  ["https://example.org:8443/*", "https://example.org:8443/x"],
  ["https://example.org", "https://example.org/"],
  ["https://*/*", "https://[2001:db8::1]/x"],
  ["http://bücher.example/*", "http://xn--bcher-kva.example/x"],
])("%s allows %s", (pattern, callback) => {
  expect(matches(pattern, callback)).toBe(true);
});

test.each([
  ["https://*.example.org/*", "https://example.org/", "the name itself is not below it"],
  ["https://*.example.org/*", "https://evilexample.org/", "a name that only ends alike"],
  ["https://*.example.org/*", "https://a.example.org.evil.net/", "a name that only begins alike"],
  ["https://example.org/*", "https://example.org.evil.net/", "a name that only begins alike"],
  ["https://example.org/*", "https://example.org@evil.net/", "a user name"],
  ["https://example.org/*", "https://evil.net/https://example.org/", "the pattern in the path"],
  ["https://example.org/*", "https://evil.net\\@example.org/", "a backslash"],
  ["https://example.org/*", "https://example.org:8443/", "another port"],
  ["https://example.org/*", "http://example.org/", "another scheme"],
  ["https://*.example.org/*", "https://evil.net/.example.org/", "the host in the path"],
  ["https://example.org/hooks/*", "https://example.org/hooks/../admin", "dots that lead out"],
  ["https://example.org/hooks/*", "https://example.org/hooks/%2e%2E/admin", "escaped dots"],
  ["https://example.org/hooks/*", "https://example.org/hooks/..%2fadmin", "an escaped slash"],
  ["https://example.org/hooks/*", "https://example.org/hooks/%2e%2e%5cadmin", "an escaped backslash"],
  ["https://example.org/hook", "https://example.org/hook?k=1", "a query that is not in the pattern"],
  ["https://example.org/a*bc*c", "https://example.org/abc", "pieces that would overlap"],
  ["https://example.org/*", "nonsense", "no URL"],
])("%s does not allow %s: %s", (pattern, callback) => {
  expect(matches(pattern, callback)).toBe(false);
});

test.each([
  "example.org/*",
  "ftp://example.org/*",
  "https://ex*mple.org/",
  "https://a.*.org/",
  "https://*example.org/",
  "https://example.org/#x",
  "https://u:p@example.org/*",
])("%s is no pattern", (text) => {
  expect(parseCallbackPattern(text)).toBeUndefined();
  expect(matches(text, "https://example.org/")).toBe(false);
});

test("a pattern of many stars is matched in little time", () => {
  const pattern = `https://example.org/${"*a".repeat(1000)}b`;
  const begun = performance.now();
  expect(matches(pattern, `https://example.org/${"a".repeat(4000)}`)).toBe(false);
  expect(performance.now() - begun).toBeLessThan(2000);
});
