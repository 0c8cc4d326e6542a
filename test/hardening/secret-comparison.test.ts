import { timingSafeEqual } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";

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

test("tokens are compared as digests of equal length, in a time that tells nothing", async () => {
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

test("nowhere in the code is a secret compared with ===", () => {
  const source = join(import.meta.dirname, "../../src");
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".ts"),
  );
  const suspicious = files.flatMap((file) =>
    readFileSync(join(source, file), "utf8")
      .split("\n")
      .filter((line) =>
        /\b\w*(?:token|secret|signature|challenge|sha256)\b(?:\(\w*\))? *[!=]==? */i.test(line),
      )
      .filter((line) => !/[!=]==? *(?:undefined|null|""|"\$|-?\d)/.test(line))
      .map(() => file),
  );
  expect(files.length).toBeGreaterThan(200);
  // Both look whether a renewal brought another secret than before, once the callback has confirmed: no answer depends on it.
  expect(suspicious).toEqual(["subscriptions/redis-subscription-scripts.ts", "subscriptions/renewal.ts"]);
});
