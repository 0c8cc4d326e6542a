import { expect, test } from "vitest";
import { mergeCalls } from "../../src/delivery/merged-calls.ts";

function held() {
  const runs: { readonly argument: string; readonly end: () => void }[] = [];
  const call = mergeCalls(
    (argument: string) => argument.slice(0, 1),
    (argument) => new Promise((resolve) => runs.push({ argument, end: resolve })),
  );
  return { runs, call, names: () => runs.map(({ argument }) => argument) };
}

test("a call runs at once, and those of other names do not wait for it", () => {
  const { call, names } = held();
  void call("a1");
  void call("b1");
  expect(names()).toEqual(["a1", "b1"]);
});

test("however many come while one runs, exactly one more follows it, and all of them wait for that one", async () => {
  const { call, names, runs } = held();
  const first = call("a1");
  const ended: string[] = [];
  const later = ["a2", "a3", "a4"].map(async (argument) => {
    await call(argument);
    ended.push(argument);
  });
  expect(names()).toEqual(["a1"]);
  runs[0]?.end();
  await first;
  await expect.poll(names).toEqual(["a1", "a2"]);
  expect(ended).toEqual([]);
  runs[1]?.end();
  await Promise.all(later);
  expect(names()).toEqual(["a1", "a2"]);
});

test("a call that comes while the following one runs has another one follow: nothing that was asked for is left out", async () => {
  const { call, names, runs } = held();
  void call("a1");
  void call("a2");
  runs[0]?.end();
  await expect.poll(names).toEqual(["a1", "a2"]);
  const third = call("a3");
  runs[1]?.end();
  await expect.poll(names).toEqual(["a1", "a2", "a3"]);
  runs[2]?.end();
  await third;
  void call("a4");
  expect(names()).toHaveLength(4);
});
