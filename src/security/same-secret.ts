import { createHash, timingSafeEqual } from "node:crypto";

const digest = (text: string | Uint8Array): Buffer => createHash("sha256").update(text).digest();

/** Whether two secrets are equal. The time that it takes tells nothing of where they differ, nor of how long ours is. */
export function sameSecret(given: string | Uint8Array, expected: string | Uint8Array): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}
