import { expect, test } from "vitest";
import { createRateLimit } from "../../src/http/rate-limit.ts";

function limitAt(perMinute: number) {
  const clock = { time: 1_000_000 };
  return { clock, limit: createRateLimit(perMinute, () => clock.time) };
}

test("a minute's worth goes through at once, then one at a time", () => {
  const { clock, limit } = limitAt(30);
  for (let count = 0; count < 30; count += 1) expect(limit("a")).toBe(0);
  expect(limit("a")).toBe(2);
  clock.time += 1_000;
  expect(limit("a")).toBe(1);
  clock.time += 1_000;
  expect([limit("a"), limit("a")]).toEqual([0, 2]);
});

test("clients do not take from each other, and what was refused costs nothing", () => {
  const { clock, limit } = limitAt(1);
  expect([limit("a"), limit("b"), limit("a")]).toEqual([0, 0, 60]);
  for (let count = 0; count < 100; count += 1) limit("a");
  clock.time += 60_000;
  expect(limit("a")).toBe(0);
});

test("a clock that goes back refuses nobody for longer, and long silence saves up one minute only", () => {
  const { clock, limit } = limitAt(2);
  limit("a");
  clock.time -= 3_600_000;
  expect(limit("a")).toBe(0);
  clock.time += 86_400_000;
  expect([limit("a"), limit("a"), limit("a")]).toEqual([0, 0, 30]);
});

test("memory is bounded: the client that was quiet longest is forgotten first", () => {
  const { limit } = limitAt(1);
  limit("first");
  limit("second");
  for (let count = 0; count < 9_999; count += 1) limit(`client ${count}`);
  expect(limit("second")).toBe(60);
  expect(limit("first")).toBe(0);
});
