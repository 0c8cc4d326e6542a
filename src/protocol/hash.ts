import { hash } from "node:crypto";

export function sha256Hex(bytes: Uint8Array | string): string {
  return hash("sha256", bytes, "hex");
}
