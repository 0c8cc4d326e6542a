import { expect, test } from "vitest";
import { parseAfter } from "../../src/live/after.ts";

test("?after= takes a position, a W3C datetime, earliest and latest", () => {
  expect(parseAfter("k3j9x2a1-17")).toEqual({ kind: "position", position: "k3j9x2a1-17" });
  expect(parseAfter("earliest")).toEqual({ kind: "earliest" });
  expect(parseAfter("latest")).toEqual({ kind: "latest" });
  for (const datetime of ["2026", "2026-01-03", "2026-01-03T00:00:00Z", "2026-01-03T00:00:00.5+01:00"]) {
    expect(parseAfter(datetime)?.kind).toBe("instant");
  }
});

test.each(["", "yesterday", "17", "k3j9x2a1-", "2026-02-30", "2026-01-03 00:00"])(
  "%j is none of them",
  (text) => {
    expect(parseAfter(text)).toBeUndefined();
  },
);
