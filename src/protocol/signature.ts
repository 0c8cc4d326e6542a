import { createHmac } from "node:crypto";

/** The methods that WebSub §7.1 knows; §8.3 advises at least SHA-256. */
export type SignatureMethod = "sha1" | "sha256" | "sha384" | "sha512";

/** The value of `X-Hub-Signature` over the exact bytes of the body. Lower case, because subscribers compare it as text. */
export function hubSignature(secret: string, body: Buffer, method: SignatureMethod): string {
  return `${method}=${createHmac(method, secret).update(body).digest("hex")}`;
}

/** As Standard Webhooks writes a secret that is bytes: with this before their base64. */
const bytesPrefix = "whsec_";

/** The key that a secret stands for: its bytes in UTF-8, or those that it writes as `whsec_` and base64. */
function keyOf(secret: string): Buffer {
  if (secret.startsWith(bytesPrefix)) {
    const base64 = secret.slice(bytesPrefix.length);
    const bytes = Buffer.from(base64, "base64");
    // Node passes over what is not base64; then the prefix was only by chance that of bytes.
    if (bytes.length > 0 && bytes.toString("base64").replace(/={1,2}$/, "") === base64.replace(/={1,2}$/, ""))
      return bytes;
  }
  return Buffer.from(secret);
}

/**
 * The value of `webhook-signature` (Standard Webhooks): one signature for each secret, the newest first. `timestamp` in seconds
 * since 1970, as `webhook-timestamp` says it.
 */
export function webhookSignature(
  secrets: readonly string[],
  message: { readonly id: string; readonly timestamp: string; readonly body: Buffer },
): string {
  const { id, timestamp, body } = message;
  return secrets
    .map((secret) => createHmac("sha256", keyOf(secret)).update(`${id}.${timestamp}.`).update(body))
    .map((hmac) => `v1,${hmac.digest("base64")}`)
    .join(" ");
}
