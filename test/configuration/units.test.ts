import { assert, nat, property } from "fast-check";
import { describe, expect, test } from "vitest";
import { formatDuration, formatSize, parseDuration, parseSize } from "../../src/configuration/units.ts";

describe("durations", () => {
  test.each([
    ["500ms", 500],
    ["5s", 5000],
    ["10m", 600_000],
    ["72h", 259_200_000],
    ["30d", 2_592_000_000],
    ["1.5h", 5_400_000],
    ["1.1s", 1100],
    ["5 s", 5000],
    ["0s", 0],
  ])("%s are %i milliseconds", (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });

  test.each(["", "5", "s", "-5s", "5 sec", "1h30m", "5.s", "1e3s", "0.1ms", "5s ", "٥s"])(
    "%j is none",
    (text) => {
      expect(parseDuration(text)).toBeUndefined();
    },
  );

  test("what is written is read as the same number of milliseconds", () => {
    assert(
      property(nat({ max: 999_999_999_999 }), (milliseconds) => {
        expect(parseDuration(formatDuration(milliseconds))).toBe(milliseconds);
      }),
    );
  });

  test("the largest unit that leaves no rest is written", () => {
    expect([0, 90_000, 86_400_000, 1].map(formatDuration)).toEqual(["0ms", "90s", "1d", "1ms"]);
  });
});

describe("sizes", () => {
  test.each([
    ["512B", 512],
    ["64kB", 64_000],
    ["2MB", 2_000_000],
    ["2mb", 2_000_000],
    ["2MiB", 2_097_152],
    ["1GB", 1_000_000_000],
  ])("%s are %i bytes", (text, bytes) => {
    expect(parseSize(text)).toBe(bytes);
  });

  test.each(["2", "2M", "MB", "0.5B"])("%j is none", (text) => {
    expect(parseSize(text)).toBeUndefined();
  });

  test("what is written is read as the same number of bytes", () => {
    assert(
      property(nat({ max: 999_999_999_999 }), (bytes) => {
        expect(parseSize(formatSize(bytes))).toBe(bytes);
      }),
    );
  });
});
