import { createHash } from "node:crypto";
import { millisecondsOf } from "../protocol/instant.ts";
import type { ReadChange } from "../protocol/read-changes.ts";

/** Digests of changes, eight bytes as eight characters, with the second since 1970 in which each happened. */
export type SeenChanges = Map<string, number>;

/** More than a list may hold (core 1.1 §7), and 786 kB. */
const mostKept = 65_536;
const digestBytes = 8;
const rowBytes = digestBytes + 4;
const lastSecond = 0xff_ff_ff_ff;

/** The same for the same change, however its list is written; 64 bits are enough to tell 65,536 of them apart. */
export function digestOf({ uri, change, at, representation }: ReadChange): string {
  const when = at ?? representation["length"] ?? "";
  const told = [uri, change, when, representation["hash"] ?? ""];
  return createHash("sha256").update(told.join("\n")).digest().toString("latin1", 0, digestBytes);
}

/** The second in which the change happened; where it does not say, that of `fetchedAt`, in milliseconds. */
export function secondOf({ at }: Pick<ReadChange, "at">, fetchedAt: number): number {
  const milliseconds = at === undefined ? fetchedAt : millisecondsOf(at);
  return Math.min(Math.max(0, Math.floor(milliseconds / 1000)), lastSecond);
}

export function unpackSeen(bytes: Buffer): SeenChanges {
  const seen: SeenChanges = new Map();
  for (let row = 0; row + rowBytes <= bytes.length; row += rowBytes) {
    seen.set(bytes.toString("latin1", row, row + digestBytes), bytes.readUInt32BE(row + digestBytes));
  }
  return seen;
}

/** Packed digests with others that are not among them; `undefined` where that would be more than can be kept. */
export function joinedSeen(seen: Buffer, more: Buffer): Buffer | undefined {
  return seen.length + more.length > mostKept * rowBytes ? undefined : Buffer.concat([seen, more]);
}

interface PackedSeen {
  readonly bytes: Buffer;
  /** The latest second of a change that was let go; -1 where none was. */
  readonly floor: number;
}

/** Keeps the latest ones where there are more than can be kept. */
export function packSeen(seen: ReadonlyMap<string, number>, most = mostKept): PackedSeen {
  const surplus = seen.size - most;
  const floor = surplus <= 0 ? -1 : (Uint32Array.from(seen.values()).toSorted()[surplus - 1] ?? -1);
  const bytes = Buffer.alloc(rowBytes * Math.min(seen.size, most));
  let row = 0;
  for (const [digest, second] of seen) {
    if (second <= floor) continue;
    bytes.write(digest, row, digestBytes, "latin1");
    bytes.writeUInt32BE(second, row + digestBytes);
    row += rowBytes;
  }
  return { bytes: bytes.subarray(0, row), floor };
}
