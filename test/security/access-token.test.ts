import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { bearerTokenOf, newToken, tokenSha256 } from "../../src/security/access-token.ts";

test("a token tells what it is for and carries 256 random bits", () => {
  expect(newToken("publisher")).toMatch(/^rshub_publisher_[A-Za-z0-9_-]{43}$/);
  expect(newToken("admin")).toMatch(/^rshub_admin_[A-Za-z0-9_-]{43}$/);
  expect(newToken("admin")).not.toBe(newToken("admin"));
});

test("the hash of a token is its SHA-256", () => {
  const token = newToken("publisher");
  expect(tokenSha256(token)).toBe(createHash("sha256").update(token).digest("hex"));
});

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
