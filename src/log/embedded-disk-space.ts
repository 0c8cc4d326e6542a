import { type StatsFs, statfsSync } from "node:fs";

/** What a file system says of itself: its blocks, those that are free to all, and the bytes of one. */
type Look = (directory: string) => Pick<StatsFs, "blocks" | "bavail" | "bsize">;

/** Enough for what is written between two looks. A write that fails for want of room can end the process (embedded-group-commit.ts). */
const spareBytes = 32 * 1024 * 1024;

/**
 * Why nothing can be written to the store in `directory`, for the operator; `undefined` where there is room. It takes 3 µs on a local disk.
 *
 * Writes that only remove are refused, too. LMDB copies each page that it changes, so they need room of their own; and what they
 * free stays in the file, whose size, and with it what the disk has left, they do not change.
 */
export function fullDisk(directory: string, look: Look = statfsSync): string | undefined {
  const { blocks, bavail, bsize } = look(directory);
  // How a file system says that it does not know: ramfs, a tmpfs without a limit, some of FUSE.
  if (blocks === 0) return undefined;
  if (bavail * bsize >= spareBytes) return undefined;
  return `The disk of ${directory} has less than ${spareBytes / 1024 / 1024} MiB left: make room`;
}
