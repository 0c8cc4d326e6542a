import { expect, test } from "vitest";
import { mergedRuns } from "../../src/live/merged-runs.ts";
import { waitUntil } from "../support/wait-until.ts";

test("calls of one turn share a run, calls during a run share the next, and none is lost", async () => {
  let begun = 0;
  let release = (): void => {};
  const wake = mergedRuns(
    async () => {
      begun += 1;
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    },
    () => {},
  );
  wake();
  wake();
  await waitUntil(() => expect(begun).toBe(1));
  wake();
  wake();
  release();
  await waitUntil(() => expect(begun).toBe(2));
  release();
  await new Promise((resolve) => setImmediate(resolve));
  expect(begun).toBe(2);
  wake();
  await waitUntil(() => expect(begun).toBe(3));
});

test("a run that fails is told, and the next call runs again", async () => {
  const errors: unknown[] = [];
  let runs = 0;
  const wake = mergedRuns(
    async () => {
      runs += 1;
      if (runs === 1) throw new Error("the store is away");
    },
    (error) => errors.push(error),
  );
  wake();
  await waitUntil(() => expect(errors).toHaveLength(1));
  wake();
  await waitUntil(() => expect(runs).toBe(2));
});
