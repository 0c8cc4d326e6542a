import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { sequenceBefore } from "../../src/log/find-by-time.ts";
import type { Appended, NotificationLog } from "../../src/log/notification-log.ts";
import { findPlace, positionAt } from "../../src/log/place-in-log.ts";
import { trimByRetention } from "../../src/log/retention.ts";
import { type EngineName, openEngine } from "../support/engines.ts";
import { entryOf, newNotification, testChannel } from "../support/new-notification.ts";
import { waitUntil } from "../support/wait-until.ts";
import { repeatsContract } from "./notification-log-repeats.ts";

const channel = testChannel();

async function appendMany(log: NotificationLog, count: number, name = "n") {
  const outcomes = await Promise.all(
    Array.from({ length: count }, (_, index) => log.append(channel, newNotification(`<${name}-${index}/>`))),
  );
  return outcomes.map(entryOf);
}

/** What every notification log keeps to, whatever stores it. */
export function notificationLogContract(engine: EngineName): void {
  repeatsContract(engine);

  describe("appending", () => {
    test("200 appends at once get the sequence numbers 1 to 200, each once", async () => {
      await using store = await openEngine(engine);
      const entries = await appendMany(store.log, 200);
      const sequences = entries.map(({ sequence }) => sequence).toSorted((a, b) => a - b);
      expect(sequences).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
      expect(new Set(entries.map(({ position }) => position)).size).toBe(200);
    });

    test("a reader never sees a hole while others append", async () => {
      await using store = await openEngine(engine);
      const done = appendMany(store.log, 300);
      const seen: number[] = [];
      while (seen.length < 300) {
        const page = await store.log.read(channel, seen.at(-1) ?? 0, 50);
        seen.push(...page.map(({ sequence }) => sequence));
        await setImmediate();
      }
      await done;
      expect(seen).toEqual(Array.from({ length: 300 }, (_, index) => index + 1));
    });

    test("what was appended is read byte for byte, with its position, time and media type", async () => {
      await using store = await openEngine(engine, { now: () => 1_700_000_000_000 });
      const payload = Buffer.from([0, 255, 10, 13, 0xf0, 0x9f, 0x98, 0x80, 0, 128]);
      const parts = { contentType: "application/xml; charset=utf-8", receipt: '{"ä":1}' };
      const entry = entryOf(await store.log.append(channel, newNotification(payload, parts)));
      expect(entry).toMatchObject({ sequence: 1, receivedAt: 1_700_000_000_000, receipt: '{"ä":1}' });
      const [read, ...rest] = await store.log.read(channel, 0, 10);
      expect(rest).toEqual([]);
      expect(read).toEqual({
        sequence: 1,
        position: entry.position,
        receivedAt: 1_700_000_000_000,
        contentType: "application/xml; charset=utf-8",
        payload,
      });
    });

    test("times never go back, even where the clock does", async () => {
      const times = [5000, 4000, 6000];
      await using store = await openEngine(engine, { now: () => times.shift() ?? 7000 });
      for (const name of ["a", "b", "c"]) await store.log.append(channel, newNotification(`<${name}/>`));
      const page = await store.log.read(channel, 0, 10);
      expect(page.map(({ receivedAt }) => receivedAt)).toEqual([5000, 5000, 6000]);
    });

    test("channels count apart", async () => {
      await using store = await openEngine(engine);
      const other = testChannel("atlas");
      await store.log.append(channel, newNotification("<a/>"));
      expect(entryOf(await store.log.append(other, newNotification("<a/>"))).sequence).toBe(1);
      expect(await store.log.read(other, 1, 10)).toEqual([]);
    });
  });

  describe("reading", () => {
    test("a page begins after the place asked for and ends at the limit", async () => {
      await using store = await openEngine(engine);
      await appendMany(store.log, 60);
      const page = await store.log.read(channel, 20, 35);
      expect(page.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 35 }, (_, i) => i + 21));
      expect(await store.log.read(channel, 60, 10)).toEqual([]);
    });

    test("a page ends with the notification that passes the number of bytes", async () => {
      await using store = await openEngine(engine);
      for (let n = 0; n < 40; n += 1) {
        await store.log.append(channel, newNotification(Buffer.alloc(1000, `${n} `)));
      }
      expect(await store.log.read(channel, 0, 100, 5500)).toHaveLength(6);
      expect(await store.log.read(channel, 0, 100, 30_500)).toHaveLength(31);
      expect(await store.log.read(channel, 0, 100, 1_000_000)).toHaveLength(40);
      expect(await store.log.read(channel, 0, 100, 0)).toHaveLength(1);
    });

    test("a place in time is found among notifications that share times", async () => {
      let time = 1000;
      await using store = await openEngine(engine, { now: () => time });
      for (let n = 1; n <= 30; n += 1) {
        time = 1000 + Math.floor(n / 3) * 10;
        await store.log.append(channel, newNotification(`<n${n}/>`));
      }
      await store.log.trimBefore(channel, 4);
      const page = await store.log.read(channel, 0, 100);
      for (const at of [0, 1000, 1010, 1011, 1050, 1099, 1100, 5000]) {
        const expected = page.filter(({ receivedAt }) => receivedAt < at).at(-1)?.sequence ?? 3;
        expect([at, await sequenceBefore(store.log, channel, at)]).toEqual([at, expected]);
      }
    });
  });

  describe("retention", () => {
    test("trimming lets go of the oldest and says how many", async () => {
      await using store = await openEngine(engine);
      await appendMany(store.log, 10);
      expect(await store.log.trimBefore(channel, 4)).toBe(3);
      expect(await store.log.trimBefore(channel, 4)).toBe(0);
      expect(await store.log.bounds(channel)).toMatchObject({ oldest: 4, newest: 10 });
      expect((await store.log.read(channel, 0, 100)).map(({ sequence }) => sequence)[0]).toBe(4);
    });

    test("a log that was trimmed to nothing goes on counting, and positions stay good", async () => {
      await using store = await openEngine(engine);
      const entries = await appendMany(store.log, 5);
      const last = entries.find(({ sequence }) => sequence === 5)!;
      expect(await store.log.trimBefore(channel, 100)).toBe(5);
      const bounds = await store.log.bounds(channel);
      expect(bounds).toMatchObject({ oldest: 6, newest: 5 });
      expect(findPlace(bounds, last.position)).toEqual({ kind: "held", sequence: 5 });
      expect(findPlace(bounds, entries.find(({ sequence }) => sequence === 4)!.position).kind).toBe("gap");
      expect(entryOf(await store.log.append(channel, newNotification("<next/>"))).sequence).toBe(6);
    });

    test("age and number both bound what is kept", async () => {
      let time = 0;
      await using store = await openEngine(engine, { now: () => time });
      for (let n = 1; n <= 10; n += 1) {
        time = n * 100;
        await store.log.append(channel, newNotification(`<n${n}/>`));
      }
      const { log } = store;
      const day = { keepMilliseconds: 100_000, maxNotifications: 1000 };
      expect(await trimByRetention(log, channel, day, 1000)).toBe(0);
      expect(await trimByRetention(log, channel, { ...day, keepMilliseconds: 700 }, 1000)).toBe(2);
      expect(await trimByRetention(log, channel, { ...day, maxNotifications: 5 }, 1000)).toBe(3);
      expect(await log.bounds(channel)).toMatchObject({ oldest: 6, newest: 10 });
      expect(await trimByRetention(log, channel, day, 10_000_000)).toBe(5);
      expect(await log.bounds(channel)).toMatchObject({ oldest: 11, newest: 10 });
    });
  });

  describe("positions", () => {
    test("an unused channel has a place before its first notification, which stays good", async () => {
      await using store = await openEngine(engine);
      const unused = await store.log.bounds(channel);
      expect(unused).toMatchObject({ oldest: 1, newest: 0 });
      const beginning = positionAt(unused, 0);
      await using reopened = await store.reopen();
      expect(findPlace(await reopened.log.bounds(channel), beginning)).toEqual({ kind: "held", sequence: 0 });
      await appendMany(reopened.log, 3);
      expect(findPlace(await reopened.log.bounds(channel), beginning)).toEqual({ kind: "held", sequence: 0 });
    });

    test("positions of earlier openings stay good", async () => {
      await using one = await openEngine(engine);
      const early = await appendMany(one.log, 3, "a");
      await using two = await one.reopen();
      const late = await appendMany(two.log, 3, "b");
      const bounds = await two.log.bounds(channel);
      for (const { position, sequence } of [...early, ...late]) {
        expect(findPlace(bounds, position)).toEqual({ kind: "held", sequence });
        expect(positionAt(bounds, sequence)).toBe(position);
      }
      const read = await two.log.read(channel, 0, 10);
      const given = [...early, ...late].toSorted((a, b) => a.sequence - b.sequence);
      expect(read.map(({ position }) => position)).toEqual(given.map(({ position }) => position));
    });
  });

  describe("telling of appends", () => {
    test("listeners are told in order, once for each, until they leave", async () => {
      await using store = await openEngine(engine);
      const told: Appended[] = [];
      const leave = store.log.onAppend((appended) => told.push(appended));
      await appendMany(store.log, 20);
      await waitUntil(() => expect(told).toHaveLength(20));
      expect(told.map(({ newest }) => newest)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
      expect(told.every(({ local }) => local)).toBe(true);
      await store.log.append(channel, newNotification("<n-0/>"));
      leave();
      await store.log.append(channel, newNotification("<unheard/>"));
      expect(told).toHaveLength(20);
    });

    test("who asks is told when no append is under way any more, whatever became of them", async () => {
      await using store = await openEngine(engine);
      const heard: string[] = [];
      const ask = (name: string) => store.log.whenQuiet(channel, () => heard.push(name));
      expect(ask("before")).toBeUndefined();
      const document = newNotification("<same/>");
      const appends = [1, 2, 3].map(() => store.log.append(channel, document));
      ask("during");
      ask("called off")?.();
      expect(store.log.whenQuiet(testChannel("other"), () => {})).toBeUndefined();
      await Promise.all(appends);
      await waitUntil(() => expect(heard).toEqual(["during"]));
      expect(ask("after")).toBeUndefined();
    });

    test("what was told of can be read", async () => {
      await using store = await openEngine(engine);
      const read: Promise<number>[] = [];
      store.log.onAppend(({ newest }) => {
        read.push(store.log.read(channel, newest - 1, 1).then((page) => page.length));
      });
      await appendMany(store.log, 50);
      await waitUntil(() => expect(read).toHaveLength(50));
      expect(await Promise.all(read)).toEqual(Array.from({ length: 50 }, () => 1));
    });
  });

  test("the store proves that it takes a write, and says what survives", async () => {
    await using store = await openEngine(engine);
    await store.log.probe();
    expect(await store.log.describeDurability()).toMatch(/fsync/);
  });
}
