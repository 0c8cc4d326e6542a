import { createHmac } from "node:crypto";

/** The methods that WebSub §7.1 knows; §8.3 advises at least SHA-256. */
export type SignatureMethod = "sha1" | "sha256" | "sha384" | "sha512";

/** The value of `X-Hub-Signature` over the exact bytes of the body. Lower case, because subscribers compare it as text. */
export function hubSignature(secret: string, body: Buffer, method: SignatureMethod): string {
  return `${method}=${createHmac(method, secret).update(body).digest("hex")}`;
}
