import { beforeEach, afterEach, expect, test, vi } from "vitest";
import { afterPass, createPassPace } from "../../src/live/pass-pace.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A pace whose last pass took so many milliseconds, and what became of waiting for the next one. */
function after(took: number) {
  let clock = 0;
  const pace = createPassPace({ now: () => clock });
  pace.pass(() => {
    clock += took;
  });
  let hasBegun = false;
  return {
    pace,
    gather: () => void pace.gather().then(() => (hasBegun = true)),
    passes: async (milliseconds: number): Promise<boolean> => {
      await vi.advanceTimersByTimeAsync(milliseconds);
      return hasBegun;
    },
  };
}

test("where nothing else is being appended, a pass begins at once, however long the last one took", async () => {
  const { pace, gather, passes } = after(500);
  pace.note(false);
  gather();
  expect(await passes(0)).toBe(true);
});

test("where passes are short, none waits, though more is being appended", async () => {
  const { pace, gather, passes } = after(0.9);
  pace.note(true);
  gather();
  expect(await passes(0)).toBe(true);
});

test("a pass that would be long waits until what is being appended is in the log", async () => {
  const { pace, gather, passes } = after(20);
  pace.note(true);
  gather();
  expect(await passes(10)).toBe(false);
  pace.note(true);
  expect(await passes(5)).toBe(false);
  pace.note(false);
  expect(await passes(0)).toBe(true);
});

test.each([
  [8, "for no longer than the last pass took"],
  [500, "for 25 ms at most"],
])("after a pass of %d ms it waits %s", async (took) => {
  const { pace, gather, passes } = after(took);
  pace.note(true);
  gather();
  const longest = Math.min(took, 25);
  expect(await passes(longest - 1)).toBe(false);
  expect(await passes(1)).toBe(true);
});

test("whoever waits for a pass that gathers goes on after it, and where none does, in the next turn", async () => {
  vi.useRealTimers();
  let clock = 0;
  const pace = createPassPace({ now: () => clock });
  await afterPass(pace.gathering);
  pace.pass(() => {
    clock += 1000;
  });
  pace.note(true);
  const order: string[] = [];
  const pass = pace.gather().then(() => order.push("the pass"));
  const answer = afterPass(pace.gathering).then(() => order.push("the answer"));
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(order).toEqual([]);
  pace.note(false);
  await Promise.all([pass, answer]);
  expect(order).toEqual(["the pass", "the answer"]);
});
