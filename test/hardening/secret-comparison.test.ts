import { createHash, timingSafeEqual } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { startCallbackServer } from "../support/callback-server.ts";
import { startTestHub } from "../support/start-hub.ts";
import { formFor, verifiedAtHub } from "../support/websub-forms.ts";

// The real function runs, and its calls are recorded.
vi.mock("node:crypto", { spy: true });

/** Lengths of what was compared, and how it came out. */
const compared = (): readonly (readonly [number, number, boolean])[] => {
  const { calls, results } = vi.mocked(timingSafeEqual).mock;
  return calls.map(([one, other], index) => [
    one.byteLength,
    other.byteLength,
    results[index]?.value === true,
  ]);
};

const { createAccess } = await import("../../src/security/access.ts");
const { tokenSha256 } = await import("../../src/security/access-token.ts");
const { sameSecret } = await import("../../src/security/same-secret.ts");
const { hubSignature } = await import("../../src/protocol/signature.ts");
const { signatureFault } = await import("../../src/client/signature-fault.ts");

afterEach(() => void vi.mocked(timingSafeEqual).mockClear());

test("tokens are compared as digests of equal length, with each that is known", async () => {
  const rights = { from: "publishers", publish: [], subscribe: [], operate: false, until: undefined };
  const tokens = ["rshub_publisher_one", "rshub_publisher_two"];
  const access = createAccess(
    tokens.map((token) => ({ tokenSha256: tokenSha256(token), holder: { ...rights, name: token } })),
  );
  for (const token of [...tokens, "x", "x".repeat(10_000)]) {
    vi.mocked(timingSafeEqual).mockClear();
    const { kind } = await access.identify(token);
    expect(kind).toBe(tokens.includes(token) ? "known" : "unknown-token");
    // Both are compared, also when the first is it.
    expect(compared()).toEqual(tokens.map((known) => [32, 32, known === token]));
  }
});

test("challenges are compared as digests of equal length, whatever the callback answers", () => {
  expect(sameSecret("challenge", Buffer.from("challenge"))).toBe(true);
  expect(sameSecret("", "challenge")).toBe(false);
  expect(sameSecret(Buffer.alloc(1024), "challenge")).toBe(false);
  expect(compared()).toEqual([
    [32, 32, true],
    [32, 32, false],
    [32, 32, false],
  ]);
});

test("what a callback answers to a verification of intent is compared so with the challenge", async () => {
  await using hub = await startTestHub();
  await using callback = await startCallbackServer();
  const digestOf = (text: string): Buffer => createHash("sha256").update(text).digest();
  for (const [body, isConfirmed] of [
    [undefined, true],
    ["another answer", false],
  ] as const) {
    vi.mocked(timingSafeEqual).mockClear();
    if (body !== undefined) callback.answerVerifications({ status: 200, body });
    expect(await verifiedAtHub(hub, formFor(hub, callback.url(`/${isConfirmed}`)))).toBe(isConfirmed);
    const challenge = callback.verifications.at(-1)?.parameters.get("hub.challenge") ?? "";
    const [given, expected] = [digestOf(body ?? challenge), digestOf(challenge)];
    expect(vi.mocked(timingSafeEqual).mock.calls).toContainEqual([given, expected]);
  }
});

test("signatures are compared in the same way by those who receive them", () => {
  const body = Buffer.from("<urlset/>");
  const rules = { secrets: ["s"], allowSha1: false, requireWebhookSignature: false, now: Date.now() };
  const good = hubSignature("s", body, "sha256");
  expect(signatureFault({ "x-hub-signature": [good] }, body, rules)).toBeUndefined();
  expect(signatureFault({ "x-hub-signature": [good.replace(/.$/, "g")] }, body, rules)).toBeDefined();
  expect(compared().map(([one, other, same]) => [one === other, same])).toEqual([
    [true, true],
    [true, false],
  ]);
});

/** A secret on either side of an equals sign, and the ways in which bytes can be compared that stop at the first difference. */
const comparison =
  /\b\w*(?:token|secret|signature|challenge|sha256)\b(?:\(\w*\))? *[!=]==? *|[!=]==? *[\w.?]*(?:token|secret|signature|challenge|sha256)\b|\.equals\(|Buffer\.compare\(|\.compare\(/i;
/** Not with a value, but with there being one, or with its kind. */
const harmless = /[!=]==? *(?:undefined|null|""|"\$|-?\d)|"unknown-token"/;

test("nowhere in the code is a secret compared with ===, nor by a function that stops at the first difference", () => {
  const source = join(import.meta.dirname, "../../src");
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".ts"),
  );
  const suspicious = files.flatMap((file) =>
    readFileSync(join(source, file), "utf8")
      .split("\n")
      .filter((line) => comparison.test(line) && !harmless.test(line))
      .map(() => file),
  );
  expect(files.length).toBeGreaterThan(200);
  expect(suspicious.toSorted()).toEqual([
    // Both look whether a renewal brought another secret than before, once the callback has confirmed: no answer depends on it.
    "subscriptions/redis-subscription-scripts.ts",
    "subscriptions/renewal.ts",
    // Documents, which are no secrets of anybody's.
    "watching/settle-pending.ts",
  ]);
});
