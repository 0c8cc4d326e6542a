import { describe, expect, test } from "vitest";
import type { WatchMark, WatchSchedule } from "../../src/watching/watch-store.ts";
import { type EngineName, openEngine } from "../support/engines.ts";
import { instant, testChannel } from "../support/new-notification.ts";

const channel = testChannel();
const other = testChannel("atlas");

const mark: WatchMark = {
  url: "https://maps.example.org/changelist.xml",
  since: instant("2026-01-01T00:00:00.25Z"),
  reached: instant("2026-01-02T00:00:00Z"),
  floor: -1,
  readAt: 5000,
  documents: [{ url: "https://maps.example.org/changelist.xml", etag: '"a"' }],
};
const pending = {
  key: "k",
  payload: Buffer.from([0, 255, 13, 10]),
  after: 7,
  seen: Buffer.from([200, 0, 1]),
  reached: instant("2026-01-03T00:00:00Z"),
};
const schedule: WatchSchedule = {
  url: mark.url,
  lastLookedAt: 1000,
  nextLookAt: 2000,
  lastChangeAt: null,
  interval: 500,
  failing: "why",
};

/** What every store of watched sets keeps to, whatever stores it. */
export function watchStoreContract(engine: EngineName): void {
  describe("marks", () => {
    test("nothing is known before the first look; then it is read back byte for byte, also after a restart", async () => {
      await using one = await openEngine(engine);
      expect(await one.watches.read(channel)).toBeUndefined();
      const seen = Buffer.from([1, 0, 255, 13]);
      expect(await one.watches.change(channel, 0, { mark, seen, pending })).toBe(true);
      await using two = await one.reopen();
      expect(await two.watches.read(channel)).toEqual({ revision: 1, mark, seen, pending });
      expect(await two.watches.read(other)).toBeUndefined();
    });

    test("digests stay where none are given, and what was on its way is gone where it is not named", async () => {
      await using store = await openEngine(engine);
      const seen = Buffer.from([1, 2, 3]);
      await store.watches.change(channel, 0, { mark, seen, pending });
      const moved = { ...mark, floor: 9, documents: [] };
      expect(await store.watches.change(channel, 1, { mark: moved, pending: undefined })).toBe(true);
      expect(await store.watches.read(channel)).toEqual({
        revision: 2,
        mark: moved,
        seen,
        pending: undefined,
      });
    });

    test("of those who come with the same revision one moves it, and who comes with an old one changes nothing", async () => {
      await using store = await openEngine(engine);
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, (_, floor) =>
          store.watches.change(channel, 0, { mark: { ...mark, floor }, pending: undefined }),
        ),
      );
      expect(outcomes.filter(Boolean)).toHaveLength(1);
      expect((await store.watches.read(channel))?.mark.floor).toBe(outcomes.indexOf(true));
      expect(await store.watches.change(channel, 0, { mark, pending })).toBe(false);
      expect((await store.watches.read(channel))?.pending).toBeUndefined();
    });
  });

  describe("schedules and claims", () => {
    test("a schedule is kept over a restart", async () => {
      await using one = await openEngine(engine);
      expect(await one.watches.schedule(channel)).toBeUndefined();
      await one.watches.conclude(channel, "a", schedule);
      await using two = await one.reopen();
      expect(await two.watches.schedule(channel)).toEqual(schedule);
      expect(await two.watches.schedule(other)).toBeUndefined();
    });

    test("one at a time may look, until the look is concluded or given back", async () => {
      await using store = await openEngine(engine);
      const claim = (holder: string) => store.watches.claim(channel, holder, Date.now(), 60_000);
      expect(await claim("a")).toBe(true);
      expect(await claim("a")).toBe(true);
      expect(await claim("b")).toBe(false);
      await store.watches.release(channel, "b");
      await store.watches.conclude(channel, "b", schedule);
      expect(await claim("b")).toBe(false);
      await store.watches.release(channel, "a");
      expect(await claim("b")).toBe(true);
      await store.watches.conclude(channel, "b", schedule);
      expect(await claim("a")).toBe(true);
      expect(await store.watches.claim(other, "b", Date.now(), 60_000)).toBe(true);
    });

    test("a claim that nobody keeps lapses", async () => {
      await using store = await openEngine(engine);
      expect(await store.watches.claim(channel, "a", Date.now(), 30)).toBe(true);
      await expect
        .poll(() => store.watches.claim(channel, "b", Date.now(), 60_000), { interval: 10 })
        .toBe(true);
    });
  });

  describe("where intervals end", () => {
    test("the log knows the end of its last interval, also of one that is trimmed", async () => {
      const { newNotification } = await import("../support/new-notification.ts");
      await using one = await openEngine(engine);
      expect(await one.log.lastUntil(channel)).toBeUndefined();
      const until = instant("2026-01-02T00:00:00Z");
      await one.log.append(channel, {
        ...newNotification("a"),
        interval: { from: instant("2026-01-01T00:00:00Z"), until },
      });
      await one.log.append(channel, { ...newNotification("b"), interval: undefined });
      await one.log.trimBefore(channel, 3);
      await using two = await one.reopen();
      expect(await two.log.lastUntil(channel)).toBe(until);
    });
  });
}
