import { expect, test } from "vitest";
import { createAccess, grants, type Holder, signedBy } from "../../src/security/access.ts";
import { newToken, tokenSha256 } from "../../src/security/access-token.ts";

const holder = (name: string, more: Partial<Holder> = {}): Holder => ({
  from: "subscribers",
  name,
  publish: [],
  subscribe: [],
  operate: false,
  until: undefined,
  ...more,
});
const known = (token: string, of: Holder) => ({ tokenSha256: tokenSha256(token), holder: of });

test("a token is known by its hash, and by no other", async () => {
  const [token, other] = [newToken("publisher"), newToken("publisher")];
  const access = createAccess([known(token, holder("a"))]);
  expect(await access.identify(token)).toEqual({ kind: "known", holders: [holder("a")] });
  expect(await access.identify(undefined)).toEqual({ kind: "no-token" });
  for (const wrong of [other, `${token}x`, token.toUpperCase(), "", tokenSha256(token)]) {
    expect(await access.identify(wrong)).toEqual({ kind: "unknown-token" });
  }
});

test("two tokens stand for one publisher while the old one is being replaced", async () => {
  const [old, next] = [newToken("publisher"), newToken("publisher")];
  const access = createAccess([known(old, holder("a")), known(next, holder("a"))]);
  for (const token of [old, next]) expect(await access.identify(token)).toMatchObject({ kind: "known" });
});

test("one token can stand for two holders, each with its own sets", async () => {
  const token = newToken("publisher");
  const two = [holder("a", { publish: ["maps"] }), holder("b", { publish: ["books"] })] as const;
  const access = createAccess(two.map((each) => known(token, each)));
  expect(await access.identify(token)).toEqual({ kind: "known", holders: two });
});

test("a replacement takes effect at once, and whoever asked is told", async () => {
  const [old, next] = [newToken("publisher"), newToken("publisher")];
  const access = createAccess([known(old, holder("a"))]);
  let told = 0;
  access.onReplaced(() => (told += 1));
  access.replace([known(next, holder("a"))]);
  expect(told).toBe(1);
  expect(await access.identify(old)).toEqual({ kind: "unknown-token" });
  expect(await access.identify(next)).toMatchObject({ kind: "known" });
});

test("what is no SHA-256 is never taken for the hash of a token", () => {
  for (const digest of ["", "nonsense", "abcd", "0".repeat(63), "0".repeat(66)]) {
    expect(() => createAccess([{ tokenSha256: digest, holder: holder("a") }])).toThrow(RangeError);
  }
});

test("`all` grants every set, a list those that it names", () => {
  expect(grants("all", "maps")).toBe(true);
  expect(grants(["maps"], "maps")).toBe(true);
  expect(grants(["maps"], "map")).toBe(false);
  expect(grants([], "maps")).toBe(false);
});

test("a right stands while its holder may do it, whatever token the holder has now, and only for that kind of holder", () => {
  const [old, next] = [newToken("subscriber"), newToken("subscriber")];
  const friend = holder("friend", { subscribe: ["secret"] });
  const access = createAccess([known(old, friend)]);
  const authority = { from: "subscribers", name: "friend", until: undefined };
  const stands = (set = "secret") => access.stands(authority, ({ subscribe }) => grants(subscribe, set));
  expect([stands(), stands("other")]).toEqual([true, false]);
  access.replace([known(next, friend)]);
  expect(stands()).toBe(true);
  access.replace([known(next, { ...friend, subscribe: ["other"] })]);
  expect(stands()).toBe(false);
  access.replace([known(next, { ...friend, from: "publishers" }), known(old, { ...friend, name: "other" })]);
  expect(stands()).toBe(false);
});

test("what a signed token allowed stands while its issuer is believed", () => {
  const authority = { from: signedBy("https://one.example"), name: "reader", until: 5 };
  const mayNothing = (): boolean => false;
  const signedTokens = { verify: async () => undefined, onKeysReplaced: () => {} };
  const believing = (issuer?: string) =>
    createAccess([], issuer === undefined ? undefined : { ...signedTokens, issuer }).stands(
      authority,
      mayNothing,
    );
  expect(believing("https://one.example")).toBe(true);
  expect(believing("https://two.example")).toBe(false);
  expect(believing()).toBe(false);
});
