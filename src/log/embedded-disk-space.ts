import { statfsSync } from "node:fs";

/** Enough for what is written between two looks. A write that fails for want of room can end the process (embedded-group-commit.ts). */
const spareBytes = 32 * 1024 * 1024;

/** Why the store in `directory` must not grow, for the operator; `undefined` where there is room. It takes 3 µs on a local disk. */
export function fullDisk(directory: string): string | undefined {
  const { bavail, bsize } = statfsSync(directory);
  if (bavail * bsize >= spareBytes) return undefined;
  return `The disk of ${directory} has less than ${spareBytes / 1024 / 1024} MiB left: make room`;
}
