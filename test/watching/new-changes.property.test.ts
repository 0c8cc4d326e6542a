import * as fc from "fast-check";
import { expect, test } from "vitest";
import { StorageUnavailable } from "../../src/log/notification-log.ts";
import type { WatchStore } from "../../src/watching/watch-store.ts";
import { openEngine, type TestEngine } from "../support/engines.ts";
import { changeList, type ListedInTest, publishedIn, setId, watchOn } from "./watched-hub.ts";

const day = Date.UTC(2026, 10, 20);
const url = "https://maps.example.org/changelist.xml";

/** What happens at a Source between two looks, and whether the hub dies in the middle of the look. */
const round = fc.record({
  /** Seconds after the day's beginning at which changes happened; late ones are older than what was listed before. */
  happened: fc.array(fc.record({ at: fc.nat(5000), isUntimed: fc.boolean(), lastmodOnly: fc.boolean() }), {
    maxLength: 6,
  }),
  /** How many of the oldest entries are gone, or the whole list. */
  gone: fc.oneof(fc.nat(3), fc.constant(1000)),
  repeated: fc.boolean(),
  turned: fc.boolean(),
  until: fc.boolean(),
  /** After so many steps of the store it goes away, before or after the step was done. */
  diesAfter: fc.option(fc.record({ steps: fc.nat(4), isDone: fc.boolean() }), { nil: undefined }),
});
type Round = typeof round extends fc.Arbitrary<infer Value> ? Value : never;

/** A real store that is cut off in the middle of a look. */
function cutOff(store: WatchStore, after: NonNullable<Round["diesAfter"]>): WatchStore {
  let left = after.steps;
  return {
    ...store,
    async change(channel, expected, next) {
      left -= 1;
      if (left < -1 || (left === -1 && !after.isDone)) throw new StorageUnavailable("cut off");
      const changed = await store.change(channel, expected, next);
      if (left === -1) throw new StorageUnavailable("cut off");
      return changed;
    },
  };
}

/** A Source, the changes that it made, and its list as it is now. */
function startSource() {
  let listed: ListedInTest[] = [];
  let made = 0;
  const change = (at: number | undefined, lastmodOnly = false): void => {
    made += 1;
    listed.push({ uri: `https://e.org/${made}`, at, lastmodOnly });
  };
  return {
    change,
    drop(count: number): void {
      listed = listed.slice(count);
    },
    get made(): string[] {
      return Array.from({ length: made }, (_, index) => `https://e.org/${index + 1}`);
    },
    write({ turned, repeated, until }: Pick<Round, "turned" | "repeated" | "until">): string {
      const order = turned ? listed.toReversed() : listed;
      const entries = repeated ? [...order, ...order] : order;
      return changeList(entries, { from: day, ...(until ? { until: Date.now() } : {}) });
    },
  };
}

async function look(engine: TestEngine, profile: "1.0.1" | "auto", list: string, store = engine.watches) {
  // A repeat window of nothing: that a change is published once must not rest on it.
  await using hub = watchOn(engine, { profile, repeatWindow: 0, store });
  const body = Buffer.from(list);
  return await hub.takeChangeList({ set: setId(), url, body, fetchedAt: Date.now() }).then(
    ({ kind }) => kind,
    (error: unknown) => {
      if (error instanceof StorageUnavailable) return "died";
      throw error;
    },
  );
}

const rounds = fc.array(round, { minLength: 1, maxLength: 8 });

test("whatever becomes of a list, each change is published once, in order, in intervals that adjoin, also by hubs that die", async () => {
  const holds = async (history: readonly Round[], profile: "1.0.1" | "auto"): Promise<void> => {
    await using engine = await openEngine("embedded");
    const source = startSource();
    source.change(day);
    const as = { turned: false, repeated: false, until: false };
    expect(await look(engine, profile, source.write(as))).toBe("begun");

    for (const each of history) {
      source.drop(each.gone);
      for (const { at, isUntimed, lastmodOnly } of each.happened) {
        source.change(isUntimed ? undefined : day + at * 1000, lastmodOnly);
      }
      if (each.diesAfter !== undefined) {
        await look(engine, profile, source.write(each), cutOff(engine.watches, each.diesAfter));
        // When the hub is back, the list has grown.
        source.change(day + 2_500_000);
      }
      expect(await look(engine, profile, source.write(each))).toBe("taken");
    }

    const notifications = await publishedIn(engine);
    const told = notifications.flatMap(({ changes }) => changes.map(({ uri }) => uri));
    expect(told.toSorted()).toEqual(source.made.slice(1).toSorted());
    const untils = notifications.map(({ until }) => until);
    expect(notifications.slice(1).map(({ from }) => from)).toEqual(untils.slice(0, -1));
    expect(notifications.every(({ from = "", until = "" }) => from <= until)).toBe(true);
  };
  await fc.assert(fc.asyncProperty(rounds, fc.constantFrom("1.0.1", "auto"), holds), { numRuns: 30 });
}, 120_000);

test("a notification has the order of time, also of a list that runs backwards", async () => {
  await using engine = await openEngine("embedded");
  const since = Date.now();
  await look(engine, "auto", changeList([]));
  const listed = [5, 1, 4, 2, 3].map((at) => ({ uri: `https://e.org/${at}`, at: since + at }));
  await look(engine, "auto", changeList(listed));
  const [notification] = await publishedIn(engine);
  expect(notification?.changes.map(({ uri }) => uri.at(-1))).toEqual(["1", "2", "3", "4", "5"]);
});
