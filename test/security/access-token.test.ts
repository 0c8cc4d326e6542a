import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { bearerTokenOf, newToken, tokenMatches, tokenSha256 } from "../../src/security/access-token.ts";

test("a token tells what it is for and carries 256 random bits", () => {
  expect(newToken("publisher")).toMatch(/^rshub_publisher_[A-Za-z0-9_-]{43}$/);
  expect(newToken("admin")).toMatch(/^rshub_admin_[A-Za-z0-9_-]{43}$/);
  expect(newToken("admin")).not.toBe(newToken("admin"));
});

test("a token matches its own SHA-256 and no other", () => {
  const token = newToken("publisher");
  expect(tokenSha256(token)).toBe(createHash("sha256").update(token).digest("hex"));
  expect(tokenMatches(token, tokenSha256(token))).toBe(true);
  expect(tokenMatches(token, tokenSha256(token).toUpperCase())).toBe(true);
  expect(tokenMatches(`${token}x`, tokenSha256(token))).toBe(false);
  expect(tokenMatches(newToken("publisher"), tokenSha256(token))).toBe(false);
});

test.each(["", "nonsense", "abcd", "0".repeat(63), "0".repeat(66)])(
  "no token matches the digest %j",
  (digest) => {
    expect(tokenMatches("", digest)).toBe(false);
    expect(tokenMatches("token", digest)).toBe(false);
  },
);

test.each([
  ["Bearer abc-._~+/9==", "abc-._~+/9=="],
  ["bearer abc", "abc"],
  ["BEARER   abc  ", "abc"],
  ["Basic abc", undefined],
  ["Bearer", undefined],
  ["Bearer a b", undefined],
  ["xBearer abc", undefined],
  [undefined, undefined],
])("Authorization: %s holds the token %s (RFC 6750 §2.1)", (header, token) => {
  expect(bearerTokenOf(header)).toBe(token);
});
