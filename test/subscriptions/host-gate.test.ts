import { expect, test } from "vitest";
import { createHostGate } from "../../src/subscriptions/host-gate.ts";

test("work for one host waits for its turn, in order, and what fails makes room as well", async () => {
  const atHost = createHostGate(2);
  const begun: number[] = [];
  const releases: (() => void)[] = [];
  const work = (number: number) => async () => {
    begun.push(number);
    await new Promise<void>((resolve) => releases.push(resolve));
    if (number === 1) throw new Error("failed");
    return number;
  };
  const results = [1, 2, 3, 4].map((number) => atHost("a:443", work(number)));
  const settled = Promise.allSettled(results);
  await Promise.resolve();
  expect(begun).toEqual([1, 2]);
  releases[0]?.();
  await expect.poll(() => begun).toEqual([1, 2, 3]);
  expect(await atHost("b:443", async () => "another host")).toBe("another host");
  for (const release of releases) release();
  await expect.poll(() => begun).toEqual([1, 2, 3, 4]);
  for (const release of releases) release();
  expect((await settled).map(({ status }) => status)).toEqual([
    "rejected",
    "fulfilled",
    "fulfilled",
    "fulfilled",
  ]);
});
