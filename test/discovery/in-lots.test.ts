import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { inLots } from "../../src/discovery/in-lots.ts";
import { StorageUnavailable } from "../../src/log/notification-log.ts";

const numbers = Array.from({ length: 200 }, (_, n) => n);

/** What was looked at, and what came of it. */
async function looking(act: (n: number) => Promise<void>) {
  const seen: number[] = [];
  const failure: unknown = await inLots(numbers, async (n) => {
    seen.push(n);
    await act(n);
  }).catch((error: unknown) => error);
  return { seen, failure };
}

test("one that always fails keeps no other from being looked at", async () => {
  const fault = new Error("its documents cannot be read");
  const { seen, failure } = await looking(async (n) => {
    if (n === 3) throw fault;
  });
  expect(seen).toEqual(numbers);
  expect(failure).toBe(fault);
});

test("nothing goes on when it has settled: a round that failed does not run beside the next one", async () => {
  let [letGo, isOver] = [(): void => {}, false];
  const slow = new Promise<void>((resolve) => (letGo = resolve));
  const all = inLots([1, 2], async (n) => {
    if (n === 1) throw new Error("at once");
    await slow;
  })
    .catch(() => {})
    .then(() => (isOver = true));
  for (let turn = 0; turn < 5; turn += 1) await nextTurn();
  expect(isOver).toBe(false);
  letGo();
  await all;
});

test("all that fails is told, and not hidden by a store that was away for a moment", async () => {
  const { failure } = await looking(async (n) => {
    if (n === 0) throw new StorageUnavailable("for a moment");
    if (n % 100 === 1) throw new Error(`no ${n}`);
  });
  expect(failure).toBeInstanceOf(AggregateError);
  expect(failure).toMatchObject({
    message: "2 failed. The first: no 1",
    errors: [{ message: "no 1" }, { message: "no 101" }],
  });
});

test("where a whole lot finds the store away, the others are not made to wait for it, too", async () => {
  const { seen, failure } = await looking(async () => {
    throw new StorageUnavailable("away");
  });
  expect(seen).toHaveLength(64);
  expect(failure).toBeInstanceOf(StorageUnavailable);
});
