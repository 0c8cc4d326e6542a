import { createHmac, timingSafeEqual } from "node:crypto";

/** What Standard Webhooks signs besides the body. */
export interface WebhookHeaders {
  readonly id: string;
  /** Seconds since 1970, as it was written. */
  readonly timestamp: string;
  /** `v1,…`, several separated by spaces. */
  readonly signature: string;
}

/** More signatures than a hub that changes its secrets could have use for are not looked at. */
const maxSignatures = 16;

/** Whether one of the signatures is `v1`, made with one of the secrets. */
export function hasWebhookSignature(
  { id, timestamp, signature }: WebhookHeaders,
  body: Buffer,
  secrets: readonly string[],
): boolean {
  const given = versionOne(signature).map((text) => Buffer.from(text));
  return secrets.some((secret) => {
    const expected = Buffer.from(
      createHmac("sha256", keyOf(secret)).update(`${id}.${timestamp}.`).update(body).digest("base64"),
    );
    return given.some((bytes) => bytes.length === expected.length && timingSafeEqual(bytes, expected));
  });
}

/** The signatures that a secret can check; other versions are passed over. */
export function versionOne(signature: string): string[] {
  return signature
    .split(" ", maxSignatures)
    .filter((part) => part.startsWith("v1,"))
    .map((part) => part.slice(3));
}

/** `whsec_` before base64 is how Standard Webhooks writes keys; every other secret is its own bytes. */
function keyOf(secret: string): Buffer {
  const [, encoded] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? [];
  return encoded === undefined ? Buffer.from(secret, "utf8") : Buffer.from(encoded, "base64");
}
