import { createHmac } from "node:crypto";
import { exportJWK, exportSPKI } from "jose";
import { expect, test } from "vitest";
import { createKeySet } from "../../src/security/key-set.ts";
import { verifyJwts } from "../../src/security/verify-jwt.ts";
import { audience, issuer, type IssuerKey, keySetOf, newKey, sign } from "../support/token-issuer.ts";

const rsa = await newKey("RS256");
const ec = await newKey("ES256");
const ed = await newKey("EdDSA");
const stranger = await newKey("RS256");
const now = (): number => Date.now();
const seconds = (): number => Math.floor(now() / 1000);

/** A verifier whose issuer has these keys, and what it told the log. */
function startVerifier(
  keys: readonly IssuerKey[],
  { algorithms = ["RS256", "ES256", "EdDSA"], time = now } = {},
) {
  const reasons: string[] = [];
  let loads = 0;
  const known = [...keys];
  const answer = { failing: false };
  const keySet = createKeySet({
    async load() {
      loads += 1;
      if (answer.failing) throw new Error("nobody answers");
      return await keySetOf(known);
    },
    events: { keysLoaded: () => {}, keysUnavailable: () => {} },
    now: time,
  });
  const verify = verifyJwts({
    issuer,
    audience,
    algorithms,
    claim: "resourcesync",
    keys: keySet,
    events: { signedTokenRefused: ({ reason }) => reasons.push(reason) },
    now: time,
  });
  return { verify, reasons, known, answer, keySet, loads: () => loads };
}

const encoded = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString("base64url");
const claims = () => ({
  iss: issuer,
  aud: audience,
  sub: "reader-7",
  exp: seconds() + 600,
  resourcesync: { subscribe: "all", publish: "all", operate: true },
});

test.each([
  ["RS256", rsa],
  ["ES256", ec],
  ["EdDSA", ed],
])("a token signed by the issuer with %s is believed, for what its claim grants", async (_alg, key) => {
  const { verify } = startVerifier([rsa, ec, ed]);
  expect(await verify(await sign(key))).toMatchObject({
    name: "reader-7",
    publish: [],
    subscribe: ["secret"],
    operate: false,
    until: expect.any(Number),
  });
});

test("alg=none: a token without a signature is not believed", async () => {
  const { verify } = startVerifier([rsa]);
  for (const alg of ["none", "None", "NONE", ""]) {
    expect(await verify(`${encoded({ alg, kid: rsa.kid })}.${encoded(claims())}.`)).toBeUndefined();
  }
});

test("HS256 with the public key as its secret is not believed, in any form of that key", async () => {
  const { verify } = startVerifier([rsa]);
  const jwk = await exportJWK(rsa.publicKey);
  const pem = await exportSPKI(rsa.publicKey);
  for (const secret of [
    pem,
    pem.trim(),
    JSON.stringify(jwk),
    jwk.n ?? "",
    Buffer.from(jwk.n ?? "", "base64url"),
  ]) {
    const head = `${encoded({ alg: "HS256", kid: rsa.kid })}.${encoded(claims())}`;
    const mac = createHmac("sha256", secret).update(head).digest("base64url");
    expect(await verify(`${head}.${mac}`)).toBeUndefined();
  }
});

test("a shared secret in the issuer's key set is passed over", async () => {
  const { verify, keySet } = startVerifier([rsa]);
  const open = createKeySet({
    load: async () => ({ keys: [{ kty: "oct", k: "c2VjcmV0", kid: "shared", alg: "HS256" }] }),
    events: { keysLoaded: ({ keys }) => expect(keys).toBe(0), keysUnavailable: () => expect.unreachable() },
    now,
  });
  await open.reload();
  await keySet.reload();
  expect(await verify(await sign(rsa))).toBeDefined();
});

test("an algorithm that is not on the list is not believed, though the issuer has the key", async () => {
  const [ps, es384] = [await newKey("PS256"), await newKey("ES384")];
  const { verify } = startVerifier([ps, es384]);
  expect(await verify(await sign(ps))).toBeUndefined();
  expect(await verify(await sign(es384))).toBeUndefined();
  const onlyEd = startVerifier([rsa, ed], { algorithms: ["EdDSA"] });
  expect(await onlyEd.verify(await sign(rsa))).toBeUndefined();
  expect(await onlyEd.verify(await sign(ed))).toBeDefined();
});

test("a signature by another key under the issuer's key id is not believed", async () => {
  const { verify } = startVerifier([rsa]);
  expect(await verify(await sign({ ...stranger, kid: rsa.kid }))).toBeUndefined();
});

test("a key that the token brings along, or names the place of, is not asked for", async () => {
  const { verify, loads } = startVerifier([rsa]);
  const jwk = await exportJWK(stranger.publicKey);
  const jku = "http://127.0.0.1:1/keys.json";
  expect(await verify(await sign(stranger, { header: { jwk } }))).toBeUndefined();
  expect(await verify(await sign(stranger, { header: { jku, x5u: jku } }))).toBeUndefined();
  expect(loads()).toBe(1);
});

test("a token whose content was changed is not believed", async () => {
  const { verify } = startVerifier([rsa]);
  const [head, , signature] = (await sign(rsa)).split(".");
  expect(await verify(`${head}.${encoded(claims())}.${signature}`)).toBeUndefined();
});

test("another audience is not believed", async () => {
  const { verify, reasons } = startVerifier([rsa]);
  for (const aud of ["https://other.example.org", `${audience}/`, ["a", "b"], undefined]) {
    expect(
      await verify(await sign(rsa, { claims: JSON.parse(JSON.stringify({ aud: aud ?? null })) })),
    ).toBeUndefined();
  }
  expect(reasons[0]).toContain('"aud"');
  expect(await verify(await sign(rsa, { claims: { aud: ["another", audience] } }))).toBeDefined();
});

test("another issuer is not believed", async () => {
  const { verify } = startVerifier([rsa]);
  for (const iss of ["https://evil.example.org/", issuer.slice(0, -1), undefined]) {
    expect(
      await verify(await sign(rsa, { claims: JSON.parse(JSON.stringify({ iss: iss ?? null })) })),
    ).toBeUndefined();
  }
});

test("a token that has expired is not believed, but for half a minute of clocks that differ", async () => {
  const { verify, reasons } = startVerifier([rsa]);
  expect(await verify(await sign(rsa, { expires: seconds() - 31 }))).toBeUndefined();
  expect(reasons[0]).toContain('"exp"');
  expect(await verify(await sign(rsa, { expires: seconds() - 5 }))).toBeDefined();
});

test("a token whose time has not come is not believed", async () => {
  const { verify } = startVerifier([rsa]);
  expect(await verify(await sign(rsa, { notBefore: seconds() + 60 }))).toBeUndefined();
});

test.each(["exp", "sub"])(
  "a token without %s is not believed: it would last for ever, or be nobody's",
  async (name) => {
    const { verify } = startVerifier([rsa]);
    const { [name]: _left, ...rest } = claims() as Record<string, unknown>;
    const { privateKey, kid, alg } = rsa;
    const { SignJWT } = await import("jose");
    const token = await new SignJWT(rest).setProtectedHeader({ alg, kid }).sign(privateKey);
    expect(await verify(token)).toBeUndefined();
  },
);

test("an RSA key of less than 2048 bits is refused", async () => {
  const { generateKeyPairSync, sign: signBytes } = await import("node:crypto");
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 1024 });
  const reasons: string[] = [];
  const weak = { ...publicKey.export({ format: "jwk" }), kid: "weak", alg: "RS256" };
  const keys = createKeySet({
    load: async () => ({ keys: [weak] }),
    events: { keysLoaded: () => {}, keysUnavailable: () => {} },
    now,
  });
  const events = { signedTokenRefused: ({ reason }: { reason: string }) => void reasons.push(reason) };
  const verify = verifyJwts({
    issuer,
    audience,
    algorithms: ["RS256"],
    claim: "resourcesync",
    keys,
    events,
    now,
  });
  const head = `${encoded({ alg: "RS256", kid: "weak" })}.${encoded(claims())}`;
  const token = `${head}.${signBytes("sha256", Buffer.from(head), privateKey).toString("base64url")}`;
  expect(await verify(token)).toBeUndefined();
  expect(reasons).toEqual([expect.stringContaining("2048 bits")]);
});

test.each([
  ["no claim", undefined],
  ["a text", "publish"],
  ["a right that the hub does not know", { publish: ["maps"], delete: "all" }],
  ["a star, which is not `all`", { subscribe: "*" }],
  ["a truth that is a text", { operate: "true" }],
])("rights as %s grant nothing", async (_what, resourcesync) => {
  const { verify } = startVerifier([rsa]);
  expect(await verify(await sign(rsa, { claims: { resourcesync } }))).toBeUndefined();
});

test("a name with line ends or control characters cannot forge lines of the log", async () => {
  const { verify } = startVerifier([rsa]);
  const sub = `reader\n{"level":"error"}\u001b[31m\u2028${"x".repeat(500)}`;
  const holder = await verify(await sign(rsa, { claims: { sub } }));
  expect(holder).toMatchObject({ name: expect.stringMatching(/^reader \{"level":"error"\} \[31m x+$/) });
});

test("an unknown key id has the keys loaded anew once, and the new key is found", async () => {
  let time = Date.now();
  const { verify, known, loads } = startVerifier([rsa], { time: () => time });
  expect(await verify(await sign(rsa))).toBeDefined();
  known.push(ec);
  time += 31_000;
  expect(await verify(await sign(ec))).toBeDefined();
  expect(loads()).toBe(2);
});

test("a flood of unknown key ids asks the issuer once in half a minute", async () => {
  let time = Date.now();
  const { verify, loads } = startVerifier([rsa], { time: () => time });
  const flood = await Promise.all(
    Array.from({ length: 50 }, (_, number) => sign({ ...stranger, kid: `made-up-${number}` })),
  );
  await Promise.all(flood.map((token) => verify(token)));
  for (const token of flood) expect(await verify(token)).toBeUndefined();
  expect(loads()).toBe(1);
  time += 31_000;
  await Promise.all(flood.map((token) => verify(token)));
  for (const token of flood) await verify(token);
  expect(loads()).toBe(2);
});

test("an issuer that does not answer is asked once in half a minute, and meanwhile nothing is decided", async () => {
  const { verify, answer, loads } = startVerifier([rsa]);
  answer.failing = true;
  const token = await sign(rsa);
  for (let times = 0; times < 20; times += 1) expect(await verify(token)).toBe("undecided");
  expect(loads()).toBe(1);
});

test("known keys hold for an hour while the issuer does not answer, and no longer", async () => {
  let time = Date.now();
  const { verify, answer } = startVerifier([rsa], { time: () => time });
  const token = await sign(rsa, { expires: seconds() + 7200 });
  expect(await verify(token)).toBeDefined();
  answer.failing = true;
  time += 59 * 60_000;
  expect(await verify(token)).toMatchObject({ name: "reader-7" });
  time += 2 * 60_000;
  expect(await verify(token)).toBe("undecided");
});

test("a key that the issuer has withdrawn is not believed after the next load", async () => {
  let time = Date.now();
  const { verify, known } = startVerifier([rsa, ec], { time: () => time });
  const token = await sign(rsa);
  expect(await verify(token)).toBeDefined();
  known.shift();
  time += 10 * 60_000;
  expect(await verify(token)).toBeUndefined();
});

test("what is no JWT is not told of as one, and asks nobody", async () => {
  const { verify, reasons, loads } = startVerifier([rsa]);
  for (const text of ["", "a.b.c", "eyJ", "eyJ..", "x".repeat(5000)])
    expect(await verify(text)).toBeUndefined();
  expect([reasons, loads()]).toEqual([[], 0]);
});
