import { expect, test } from "vitest";
import { createRetryPolicy } from "../../src/delivery/retry-policy.ts";
import { retryAfterOf } from "../../src/protocol/retry-after.ts";

const second = 1000;
const hour = 3600 * second;
const settings = { schedule: [5 * second, 30 * second, 6 * hour], giveUpAfter: 72 * hour };
const steady = createRetryPolicy({ ...settings, random: () => 0.5 });
const start = 1_750_000_000_000;

/** Milliseconds that the policy waits. */
function wait(retry: typeof steady, attempts: number, after = 0, retryAfter?: number): number {
  const decision = retry({ attempts, firstFailedAt: start }, start + after, retryAfter);
  if (decision === "give-up") throw new Error("gave up");
  return decision.nextAttemptAt - (start + after);
}

test("H72: the waits follow the schedule, and its last step repeats", () => {
  expect([1, 2, 3, 4, 9].map((attempts) => wait(steady, attempts))).toEqual([
    5 * second,
    30 * second,
    6 * hour,
    6 * hour,
    6 * hour,
  ]);
});

test("waits are spread by 20 % either way", () => {
  expect(wait(createRetryPolicy({ ...settings, random: () => 0 }), 2)).toBe(24 * second);
  expect(wait(createRetryPolicy({ ...settings, random: () => 0.999_999_9 }), 2)).toBe(36 * second);
});

test("H72, H73: the last attempt is made when the time is over, and then no more", () => {
  expect(wait(steady, 14, 70 * hour)).toBe(2 * hour);
  expect(steady({ attempts: 15, firstFailedAt: start }, start + 72 * hour)).toBe("give-up");
  expect(steady({ attempts: 1, firstFailedAt: start }, start + 100 * hour)).toBe("give-up");
});

test("Retry-After makes a wait longer, never shorter, and an hour at most", () => {
  expect(wait(steady, 1, 0, 60 * second)).toBe(60 * second);
  expect(wait(steady, 2, 0, 1 * second)).toBe(30 * second);
  expect(wait(steady, 1, 0, 48 * hour)).toBe(hour);
});

test.each([
  ["120", 120 * second],
  ["0", 0],
  ["999999", hour],
  [new Date(start + 90 * second).toUTCString(), 90 * second],
  [new Date(start - 90 * second).toUTCString(), 0],
  [new Date(start + 48 * hour).toUTCString(), hour],
  ["-5", undefined],
  ["1.5", undefined],
  ["soon", undefined],
  ["", undefined],
  [undefined, undefined],
])("Retry-After: %s asks for %s ms (RFC 9110 §10.2.3)", (field, milliseconds) => {
  expect(retryAfterOf(field, start)).toBe(milliseconds);
});
