import { expect, test } from "vitest";
import { createBatcher } from "../../src/delivery/batcher.ts";

test("calls that arrive while a batch runs share the next one, and each gets its own answer", async () => {
  const batches: number[][] = [];
  let release = (): void => {};
  const call = createBatcher(async (items: readonly number[]) => {
    batches.push([...items]);
    if (batches.length === 1) await new Promise<void>((resolve) => (release = resolve));
    return items.map((item) => item * 10);
  });
  const first = call(1);
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  const others = [call(2), call(3)];
  release();
  expect(await Promise.all([first, ...others])).toEqual([10, 20, 30]);
  expect(batches).toEqual([[1], [2, 3]]);
});

test("an error reaches every caller of its batch and none of the next", async () => {
  let broken = true;
  const call = createBatcher(async (items: readonly string[]) => {
    if (broken) throw new Error("the store is away");
    return items;
  });
  await expect(Promise.all([call("a"), call("b")])).rejects.toThrow("the store is away");
  broken = false;
  expect(await call("c")).toBe("c");
});

test("a batch that leaves a call without an answer is an error, not a promise that never ends", async () => {
  const call = createBatcher(async () => ["only one"]);
  const answers = await Promise.allSettled([call(1), call(2)]);
  expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
});
