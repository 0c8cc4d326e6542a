import * as fc from "fast-check";
import { expect, test } from "vitest";
import { formatInstant, instantAt, millisecondsOf, parseInstant } from "../../src/protocol/instant.ts";

const known = (text: string) => parseInstant(text) ?? expect.fail(`${text} is a W3C Datetime`);

test.each([
  ["2013", "2013-01-01T00:00:00Z"],
  ["2013-01", "2013-01-01T00:00:00Z"],
  ["2013-01-03", "2013-01-03T00:00:00Z"],
  ["2013-01-03T09:08Z", "2013-01-03T09:08:00Z"],
  ["2013-01-03T09:08:07.1200Z", "2013-01-03T09:08:07.12Z"],
  ["2013-01-03T00:08:07+01:30", "2013-01-02T22:38:07Z"],
  ["2013-01-03T00:08:07-00:00", "2013-01-03T00:08:07Z"],
  ["0000-02-29T00:00:00Z", "0000-02-29T00:00:00Z"],
  ["9999-12-31T23:59:59.999999999999Z", "9999-12-31T23:59:59.999999999999Z"],
])("%s stands for %s (core 1.1 §7)", (text, instant) => {
  expect(formatInstant(known(text))).toBe(instant);
});

test.each([
  "2013-1-03",
  "2013-13-01",
  "2013-00-01",
  "2013-02-29",
  "1900-02-29",
  "2013-04-31",
  "2013-01-03T09:08:07",
  "2013-01-03T24:00:00Z",
  "2013-01-03T09:60:00Z",
  "2013-01-03T09:08:60Z",
  "2013-01-03T09Z",
  "2013-01-03t09:08:07z",
  "2013-01-03T09:08:07+24:00",
  " 2013",
  "",
])("%j is no W3C Datetime", (text) => {
  expect(parseInstant(text)).toBeUndefined();
});

test("every millisecond that a Date can write is read as that Date", () => {
  const milliseconds = fc.integer({ min: Date.UTC(0, 0) - 1_000_000_000, max: Date.UTC(9998, 0) });
  fc.assert(
    fc.property(milliseconds, (at) => {
      const instant = known(new Date(at).toISOString());
      expect(instant).toBe(instantAt(at));
      expect(millisecondsOf(instant)).toBe(at);
    }),
  );
});

test("instants compare as text in the order of time, whatever their offsets and fractions", () => {
  const ordered = [
    "0000-01-01T00:00:00+23:59",
    "1969-12-31T23:59:59.9Z",
    "1970-01-01T00:00:00Z",
    "1970-01-01T00:00:00.0000001Z",
    "2013-01-03T00:30:00+01:00",
    "2013-01-03T00:00:00Z",
    "2013-01-03T00:00:00.09Z",
    "2013-01-03T00:00:00.1Z",
    "2013-01-02T23:00:01-01:00",
  ].map(known);
  expect(ordered.toSorted()).toEqual(ordered);
  expect(new Set(ordered).size).toBe(ordered.length);
});
