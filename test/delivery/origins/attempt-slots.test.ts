import { expect, test } from "vitest";
import { createAttemptSlots } from "../../../src/delivery/origins/attempt-slots.ts";
import { createOrigin } from "../../../src/delivery/origins/origin.ts";
import type { Verdict } from "../../../src/delivery/origins/verdict.ts";
import { createLine, type Line } from "../../../src/delivery/origins/waiting-lines.ts";

const start = 1_700_000_000_000;
const quick: Verdict = { kind: "answers", milliseconds: 5 };
const late: Verdict = { kind: "answers", milliseconds: 3000 };
const overloaded: Verdict = {
  kind: "fails",
  milliseconds: 5,
  reason: "answered 503",
  retryAfter: 0,
  overloaded: true,
};
const refused: Verdict = { ...overloaded, reason: "refused the connection", overloaded: false };

function prepare(concurrency: number, width = 64) {
  const clock = { now: start };
  const slots = createAttemptSlots(concurrency);
  const line = (failedBefore = false): Line =>
    createLine(createOrigin({ width, failedBefore, now: () => clock.now, random: () => 0.5 }));
  /** Takes as many slots as there are at once. */
  const fill = (one: Line): number[] => {
    const taken: number[] = [];
    for (let turn = slots.take(one); turn !== undefined; turn = slots.take(one)) taken.push(turn);
    return taken;
  };
  /** An origin that has answered so often that it gets its whole width. */
  const known = (verdict: Verdict): Line => {
    const one = line();
    for (let n = 0; n < width; n += 1) slots.leave(one, slots.take(one) ?? Number.NaN, verdict);
    return one;
  };
  return { clock, slots, line, fill, known };
}

/** Lets promises that are resolved go on. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("origins take turns, and so do the subscriptions of each, however many one of them has", async () => {
  const { slots, fill, known } = prepare(1);
  const [first, many, few] = [known(quick), known(quick), known(quick)];
  let [running] = fill(first);
  let at = first;
  const order: string[] = [];
  const ask = (name: string, line: Line) =>
    void slots.wait(line).then((turn) => {
      [running, at] = [turn, line];
      order.push(name);
    });
  for (const name of ["many 1", "many 2", "many 3"]) ask(name, many);
  for (const name of ["few 1", "few 2"]) ask(name, few);
  for (let n = 0; n < 5; n += 1) {
    slots.leave(at, running ?? Number.NaN, quick);
    await settled();
  }
  expect(order).toEqual(["many 1", "few 1", "many 2", "few 2", "many 3"]);
});

test("an origin gets no more than its width, and the rest is left to others", () => {
  const { fill, known } = prepare(10, 4);
  const [one, other] = [known(quick), known(quick)];
  expect([fill(one).length, fill(other).length]).toEqual([4, 4]);
});

test("slow origins together get half of the slots, with unknown ones three quarters, and fast ones find room", () => {
  const { fill, known, line } = prepare(16);
  const [slow, fast] = [[known(late), line(true), known(late)], known(quick)];
  expect(slow.map((one) => fill(one).length)).toEqual([8, 0, 0]);
  expect([fill(line()).length, fill(line()).length]).toEqual([4, 0]);
  expect(fill(fast).length).toBe(4);
});

test("one that was never heard of gets four slots, and one more with each answer", () => {
  const { fill, line, slots } = prepare(64, 16);
  const one = line();
  const turns = fill(one);
  expect(turns.length).toBe(4);
  for (const turn of turns) slots.leave(one, turn, quick);
  expect(fill(one).length).toBe(8);
});

test("a fast origin that lets go of nothing for a second counts as slow at once", () => {
  const { clock, fill, known, slots } = prepare(16, 6);
  const [stalling, slow] = [known(quick), known(late)];
  expect(fill(stalling).length).toBe(6);
  clock.now += 1001;
  expect(slots.take(stalling)).toBeUndefined();
  expect(fill(slow).length).toBe(2);
});

test("an answer of an overloaded server halves its width once for all that were under way, and successes bring it back", () => {
  const { fill, known, slots } = prepare(64, 16);
  const one = known(quick);
  const [first, ...others] = fill(one);
  slots.leave(one, first ?? 0, overloaded);
  slots.leave(one, others[0] ?? 0, overloaded);
  expect(one.origin.view().limit).toBe(8);
  for (const turn of others.slice(1)) slots.leave(one, turn, quick);
  expect(one.origin.view()).toMatchObject({ running: 0, limit: 9 });
  for (let n = 0; n < 200; n += 1) slots.leave(one, slots.take(one) ?? 0, quick);
  expect(one.origin.view().limit).toBe(16);
});

test("when the circuit opens, those who wait are sent away; then one probes, and its success lets the others go", async () => {
  const { clock, fill, known, slots } = prepare(64, 8);
  const one = known(quick);
  const turns = fill(one);
  const waiting = slots.wait(one);
  for (const turn of turns.slice(0, 5)) slots.leave(one, turn, overloaded);
  expect([await waiting, one.origin.bars(), one.waiters.length]).toEqual([undefined, true, 0]);
  expect(await slots.wait(one)).toBeUndefined();
  // They began before it opened, so they say nothing new: neither does the success close it, nor the failure prolong it.
  for (const turn of turns.slice(5, 7)) slots.leave(one, turn, quick);
  slots.leave(one, turns[7] ?? 0, refused);
  expect(one.origin.view()).toMatchObject({ state: "open", since: start, until: start + 1000, running: 0 });

  clock.now += 1000;
  const probe = slots.take(one);
  expect([probe === undefined, slots.take(one), one.origin.view().state]).toEqual([
    false,
    undefined,
    "half-open",
  ]);
  const others = [slots.wait(one), slots.wait(one)];
  expect(slots.leave(one, probe ?? 0, quick)).toBe("closed");
  slots.leave(one, (await others[0]) ?? 0, quick);
  expect(await others[1]).toBeGreaterThan(0);
});

test("a turn that was waited for and is not used goes to the next, also where it was the probe", async () => {
  const { clock, known, slots } = prepare(64, 8);
  const one = known(quick);
  for (let n = 0; n < 5; n += 1) slots.leave(one, slots.take(one) ?? 0, refused);
  clock.now += 1000;
  const [probe, next] = [await slots.wait(one), slots.wait(one)];
  expect(slots.leave(one, probe ?? 0, { kind: "nothing" })).toBeUndefined();
  expect(slots.leave(one, (await next) ?? 0, quick)).toBe("closed");
});

test("closing sends away all who wait, and lets nobody wait any more", async () => {
  const { fill, known, slots } = prepare(1);
  const one = known(quick);
  fill(one);
  const waiting = slots.wait(one);
  slots.close([one]);
  expect([await waiting, await slots.wait(one)]).toEqual([undefined, undefined]);
});
