import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { hubSignature, webhookSignature } from "../../src/protocol/signature.ts";

// RFC 4231 §4.3 and RFC 2202 §3, case 2.
const body = Buffer.from("what do ya want for nothing?");

test.each([
  ["sha1", "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"],
  ["sha256", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"],
  [
    "sha384",
    "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e8e2240ca5e69e2c78b3239ecfab21649",
  ],
  [
    "sha512",
    "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737",
  ],
] as const)("H80, H81: %s is method=hex in lower case, as the RFC's test vector says", (method, hex) => {
  expect(hubSignature("Jefe", body, method)).toBe(`${method}=${hex}`);
});

test("H80: the exact bytes are signed, also those that are no text", () => {
  const bytes = Buffer.from([0, 255, 254, 13, 10]);
  const expected = createHmac("sha256", Buffer.from("clé", "utf8")).update(bytes).digest("hex");
  expect(hubSignature("clé", bytes, "sha256")).toBe(`sha256=${expected}`);
});

// The example that the libraries of Standard Webhooks are tested with.
const message = {
  id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
  timestamp: "1614265330",
  body: Buffer.from('{"test": 2432232314}'),
};
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const signature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

test("webhook-signature is that of Standard Webhooks, over id, timestamp and body", () => {
  expect(webhookSignature([secret], message)).toBe(signature);
});

test("of two secrets both signatures are there, the newest first", () => {
  const both = webhookSignature(["newer", secret], message).split(" ");
  expect(both).toEqual([webhookSignature(["newer"], message), signature]);
});

test.each(["plain clé", "whsec_", "whsec_not base64!", "whsec_MfKQ9r8GKYqr*TwjU"])(
  "the key of %j is its bytes",
  (text) => {
    const { id, timestamp, body: signed } = message;
    const hmac = createHmac("sha256", Buffer.from(text, "utf8")).update(`${id}.${timestamp}.`).update(signed);
    expect(webhookSignature([text], message)).toBe(`v1,${hmac.digest("base64")}`);
  },
);
