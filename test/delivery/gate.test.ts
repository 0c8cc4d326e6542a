import { expect, test } from "vitest";
import { createGate } from "../../src/delivery/gate.ts";

test("no more than its width are inside, and the others come in the order in which they asked", async () => {
  const gate = createGate(2);
  const entered: number[] = [];
  const enter = (name: number) => gate.enter().then(() => entered.push(name));
  const asking = [1, 2, 3, 4].map(enter);
  await Promise.all(asking.slice(0, 2));
  expect(entered).toEqual([1, 2]);
  gate.leave();
  await asking[2];
  expect([entered, gate.inside]).toEqual([[1, 2, 3], 2]);
  gate.leave();
  await asking[3];
  gate.leave();
  gate.leave();
  expect([entered, gate.inside]).toEqual([[1, 2, 3, 4], 0]);
});
