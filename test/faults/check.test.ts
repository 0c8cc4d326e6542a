import { describe, expect, test } from "vitest";
import { check } from "./check.ts";
import type { Observed, ReaderEvent, Taken } from "./observed.ts";

const numbers = Array.from({ length: 9 }, (_, index) => index + 1);
const digest = (n: number): string => `d${n}`;
const position = (n: number): string => `epoch-${n}`;
const taken: readonly Taken[] = numbers.map((n) => ({ id: `msg_${n}`, digest: digest(n) }));
const toldOf = (n: number, as = digest(n)): ReaderEvent => ({
  kind: "notification",
  position: position(n),
  digest: as,
});
const told: readonly ReaderEvent[] = numbers.map((n) => toldOf(n));

/** Nine notifications, one refused document, a callback and two readers: nothing wrong. */
const good: Observed = {
  publications: [
    ...numbers.map((n) => ({
      digest: digest(n),
      outcome: "acknowledged" as const,
      position: position(n),
      at: n * 100,
    })),
    { digest: "refused", outcome: "refused" },
  ],
  log: numbers.map((n) => ({ sequence: n, position: position(n), digest: digest(n) })),
  callbacks: [{ name: "callback", taken }],
  readers: [
    { name: "resuming", resumes: true, events: [{ kind: "connected" }, ...told] },
    { name: "plain", resumes: false, events: [{ kind: "connected" }, ...told.slice(3)] },
  ],
  faults: 1,
  losses: [],
};
const rules = (observed: Observed): string[] => [...new Set(check(observed).map(({ rule }) => rule))];
const withTaken = (changed: readonly Taken[]): Observed => ({
  ...good,
  callbacks: [{ name: "callback", taken: changed }],
});
const withTold = (events: readonly ReaderEvent[], resumes = true): Observed => ({
  ...good,
  readers: [{ name: "reader", resumes, events: [{ kind: "connected" }, ...events] }],
});
const swapped = <Item>(items: readonly Item[]): Item[] => items.with(3, items[4]!).with(4, items[3]!);
const refused = { id: "msg_x", digest: "refused" };

test("a good round breaks nothing", () => {
  expect(check(good)).toEqual([]);
});

describe("the checker finds in the log", () => {
  test.each<[string, string, Observed]>([
    ["an acknowledged notification that is lost", "lost", { ...good, log: good.log.slice(0, -1) }],
    ["a hole", "hole", { ...good, log: good.log.toSpliced(4, 1) }],
    [
      "a notification twice",
      "appended-twice",
      { ...good, log: good.log.with(4, { ...good.log[4]!, digest: "d4" }) },
    ],
    [
      "what nobody published",
      "altered",
      { ...good, log: good.log.with(4, { ...good.log[4]!, digest: "x" }) },
    ],
    [
      "what was refused",
      "refused-delivered",
      { ...good, log: good.log.with(4, { ...good.log[4]!, digest: "refused" }) },
    ],
    [
      "a notification at another place than was acknowledged",
      "altered",
      { ...good, log: swapped(good.log).map((entry, index) => ({ ...entry, sequence: index + 1 })) },
    ],
  ])("%s", (_title, rule, observed) => {
    expect(rules(observed)).toContain(rule);
  });
});

describe("the checker finds at a callback", () => {
  test.each<[string, string, readonly Taken[]]>([
    ["a lost notification", "lost", taken.toSpliced(4, 1)],
    ["a lost last notification", "lost", taken.slice(0, -1)],
    ["nothing at all", "lost", []],
    ["two in the wrong order", "reordered", swapped(taken)],
    ["altered bytes", "altered", taken.with(4, { ...taken[4]!, digest: "x" })],
    ["a repeat under another id", "another-id", taken.toSpliced(4, 0, { ...taken[3]!, id: "msg_other" })],
    ["two notifications under one id", "another-id", taken.with(4, { ...taken[4]!, id: "msg_4" })],
    ["more repeats than faults", "repeated", taken.toSpliced(4, 0, taken[3]!, taken[3]!)],
    ["a refused document", "refused-delivered", taken.toSpliced(4, 0, refused)],
  ])("%s", (_title, rule, changed) => {
    expect(rules(withTaken(changed))).toContain(rule);
  });

  test("nothing wrong where one comes again after a fault, under the same id, also late", () => {
    expect(check(withTaken(taken.toSpliced(4, 0, taken[3]!)))).toEqual([]);
    expect(check(withTaken(taken.toSpliced(7, 0, taken[3]!)))).toEqual([]);
  });
});

describe("the checker finds at a reader", () => {
  test.each<[string, string, readonly ReaderEvent[]]>([
    ["a hole", "hole", told.toSpliced(4, 1)],
    ["a lost last notification", "lost", told.slice(0, -1)],
    ["a repeat", "reordered", told.toSpliced(4, 0, told[3]!)],
    ["two in the wrong order", "reordered", swapped(told)],
    ["altered bytes", "altered", told.with(4, toldOf(5, "x"))],
    ["another notification than the log has", "altered", told.with(4, toldOf(5, "d1"))],
    ["a gap although nothing was lost", "gap", [...told.slice(0, 4), { kind: "gap" }, ...told]],
    ["a first notification that is missing", "hole", told.slice(1)],
  ])("%s", (_title, rule, events) => {
    expect(rules(withTold(events))).toContain(rule);
  });

  test("a hole and a wrong order also where it does not resume, but on one connection only", () => {
    expect(rules(withTold(told.toSpliced(4, 1), false))).toEqual(["lost"]);
    expect(rules(withTold(swapped(told), false))).toContain("reordered");
    expect(check(withTold([...told.slice(0, 2), { kind: "connected" }, ...told.slice(5)], false))).toEqual(
      [],
    );
  });
});

describe("where a fault made the store forget the last two", () => {
  const losses = [{ since: 750, until: 1000, subscriptions: false }];
  const later = { digest: "new", position: "later-8" };
  const forgot: Observed = {
    ...good,
    publications: [...good.publications, { ...later, outcome: "acknowledged", at: 2000 }],
    log: [...good.log.slice(0, 7), { ...later, sequence: 8 }],
    callbacks: [{ name: "callback", taken: [...taken, { id: "msg_new", digest: "new" }] }],
    readers: [],
    losses,
  };
  const reader = (events: readonly ReaderEvent[]): Observed => ({
    ...forgot,
    readers: [{ name: "reader", resumes: true, events }],
  });
  const told8: ReaderEvent = { kind: "notification", ...later };

  test("they may be missing, and nothing else", () => {
    expect(check(forgot)).toEqual([]);
    expect(rules({ ...forgot, losses: [{ ...losses[0]!, since: 850 }] })).toEqual(["lost"]);
  });

  test("a reader that knew them must be told of the gap", () => {
    expect(check(reader([...told, { kind: "gap" }, ...told.slice(0, 7), told8]))).toEqual([]);
    expect(rules(reader(told))).toContain("altered");
    expect(check(reader([...told.slice(0, 7), told8]))).toEqual([]);
  });

  test("what is published afterwards must come, and so must what was kept", () => {
    expect(rules({ ...forgot, callbacks: [{ name: "callback", taken }] })).toEqual(["lost"]);
    expect(rules({ ...forgot, callbacks: [{ name: "callback", taken: [] }] })).toEqual(["lost"]);
    const missing = forgot.callbacks[0]!.taken.toSpliced(2, 1);
    expect(rules({ ...forgot, callbacks: [{ name: "callback", taken: missing }] })).toEqual(["lost"]);
  });

  test("where the subscriptions went too, what came before they were made anew need not come", () => {
    const anew = { ...forgot, losses: [{ ...losses[0]!, subscriptions: true }] };
    const last = forgot.callbacks[0]!.taken.slice(-1);
    expect(check({ ...anew, callbacks: [{ name: "callback", taken: last }] })).toEqual([]);
    expect(rules({ ...anew, callbacks: [{ name: "callback", taken: [] }] })).toEqual(["lost"]);
  });
});
