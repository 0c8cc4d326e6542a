import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { fullDisk } from "../../src/log/embedded-disk-space.ts";

const mebibyte = 1024 * 1024;

test("a file system that reports no size does not count as full", () => {
  expect(fullDisk("/data", () => ({ blocks: 0, bavail: 0, bsize: 4096 }))).toBeUndefined();
});

test.each([
  [31, "The disk of /data has less than 32 MiB left: make room"],
  [32, undefined],
])("a disk with %i MiB left is told from one with enough", (left, reason) => {
  expect(fullDisk("/data", () => ({ blocks: 1000, bavail: left, bsize: mebibyte }))).toBe(reason);
});

test("the disk itself is asked", () => {
  const { bavail, bsize } = statfsSync(tmpdir());
  expect(fullDisk(tmpdir()) === undefined).toBe(bavail * bsize >= 32 * mebibyte);
});
