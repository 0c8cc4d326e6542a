import { existsSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { fullDisk } from "../../src/log/embedded-disk-space.ts";

// procfs reports no size, as do ramfs, a tmpfs without a limit and some file systems of FUSE.
test.skipIf(!existsSync("/proc/self"))("a file system that reports no size does not count as full", () => {
  expect(statfsSync("/proc").blocks).toBe(0);
  expect(fullDisk("/proc")).toBeUndefined();
});

test("a disk with room is told from a full one by what is left of it", () => {
  const { bavail, bsize } = statfsSync(tmpdir());
  expect(fullDisk(tmpdir()) === undefined).toBe(bavail * bsize >= 32 * 1024 * 1024);
});
