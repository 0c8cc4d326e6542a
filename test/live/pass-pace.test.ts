import { beforeEach, afterEach, expect, test, vi } from "vitest";
import { afterPass, createPassPace } from "../../src/live/pass-pace.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Appends under way, as the log tells of them. */
function appends(areUnderWay: boolean) {
  const asking = new Set<() => void>();
  let isQuiet = !areUnderWay;
  return {
    asking,
    whenQuiet: (act: () => void) => {
      if (isQuiet) return undefined;
      asking.add(act);
      return () => void asking.delete(act);
    },
    end: () => {
      isQuiet = true;
      for (const act of asking) act();
    },
  };
}

/** A pace whose last pass took so many milliseconds, and what became of waiting for the next one. */
function after(took: number, areUnderWay: boolean) {
  let clock = 0;
  const { asking, whenQuiet, end } = appends(areUnderWay);
  const pace = createPassPace({ whenQuiet, now: () => clock });
  pace.pass(() => {
    clock += took;
  });
  let hasBegun = false;
  void pace.gather().then(() => (hasBegun = true));
  return {
    asking,
    end,
    passes: async (milliseconds: number): Promise<boolean> => {
      await vi.advanceTimersByTimeAsync(milliseconds);
      return hasBegun;
    },
  };
}

test("where nothing else is being appended, a pass begins at once, however long the last one took", async () => {
  const { passes } = after(500, false);
  expect(await passes(0)).toBe(true);
});

test("where passes are short, none waits, though more is being appended", async () => {
  const { passes } = after(0.9, true);
  expect(await passes(0)).toBe(true);
});

test("a pass that would be long waits until nothing is being appended any more", async () => {
  const { passes, end } = after(20, true);
  expect(await passes(15)).toBe(false);
  end();
  expect(await passes(0)).toBe(true);
});

test.each([
  [8, "for no longer than the last pass took"],
  [500, "for 25 ms at most"],
])("after a pass of %d ms it waits %s", async (took) => {
  const { asking, passes } = after(took, true);
  const longest = Math.min(took, 25);
  expect(await passes(longest - 1)).toBe(false);
  expect(await passes(1)).toBe(true);
  expect(asking.size, "a channel that is never quiet does not collect those who waited").toBe(0);
});

test("whoever waits for a pass that gathers goes on after it, and where none does, in the next turn", async () => {
  vi.useRealTimers();
  let clock = 0;
  const { whenQuiet, end } = appends(true);
  const pace = createPassPace({ whenQuiet, now: () => clock });
  await afterPass(pace.gathering);
  pace.pass(() => {
    clock += 1000;
  });
  const order: string[] = [];
  const pass = pace.gather().then(() => order.push("the pass"));
  const answer = afterPass(pace.gathering).then(() => order.push("the answer"));
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(order).toEqual([]);
  end();
  await Promise.all([pass, answer]);
  expect(order).toEqual(["the pass", "the answer"]);
});
