import { isUtf8 } from "node:buffer";
import type { Refusal } from "./refusal.ts";

export type Decoded =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "refused"; readonly refusal: Refusal; readonly text: string };

/** The first bytes of a document that is not in UTF-8, with or without a byte order mark (XML 1.0 appendix F). */
const otherEncodings: readonly (readonly [bytes: readonly number[], name: string])[] = [
  [[0x00, 0x00, 0xfe, 0xff], "UTF-32"],
  [[0xff, 0xfe, 0x00, 0x00], "UTF-32"],
  [[0x00, 0x00, 0x00, 0x3c], "UTF-32"],
  [[0x3c, 0x00, 0x00, 0x00], "UTF-32"],
  [[0xfe, 0xff], "UTF-16"],
  [[0xff, 0xfe], "UTF-16"],
  [[0x00, 0x3c], "UTF-16"],
  [[0x3c, 0x00], "UTF-16"],
  [[0x4c, 0x6f, 0xa7, 0x94], "EBCDIC"],
];

/** Where the lossy decoding of `bytes` first differs from them: the first byte that is not UTF-8. */
function firstBadByte(bytes: Buffer, decoded: string): number {
  const again = Buffer.from(decoded, "utf8");
  for (let at = 0; at < bytes.length; at += 1) if (again[at] !== bytes[at]) return at;
  return bytes.length;
}

/** A byte order mark is kept: only the first is one, a second is stray text. */
export function decodeUtf8(payload: Uint8Array): Decoded {
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
  const other = otherEncodings.find(([start]) => start.every((byte, at) => bytes[at] === byte));
  if (other !== undefined) {
    const says = `the document is in ${other[1]}; send it in UTF-8`;
    return { kind: "refused", text: "", refusal: { rule: "X02", says, offset: 0 } };
  }
  const text = bytes.toString("utf8");
  if (isUtf8(bytes)) return { kind: "text", text };
  const at = firstBadByte(bytes, text);
  const offset = bytes
    .subarray(0, at)
    .toString("utf8")
    .replace(/\uFFFD+$/, "").length;
  const declared = /^<\?xml[^>]*?encoding\s*=\s*["']([\w.-]+)/.exec(bytes.toString("latin1", 0, 200))?.[1];
  const byte = `0x${(bytes[at] ?? 0).toString(16).toUpperCase().padStart(2, "0")}`;
  const declaration =
    declared === undefined || declared.toUpperCase() === "UTF-8"
      ? "no UTF-8 begins or goes on so"
      : `it is declared as ${declared}`;
  const says = `byte ${at + 1} (${byte}) is not UTF-8: ${declaration}; send the document in UTF-8`;
  return { kind: "refused", text, refusal: { rule: "X02", says, offset } };
}
