import { describe, expect, test } from "vitest";
import { type EngineName, openEngine } from "../support/engines.ts";
import { entryOf, instant, newNotification, testChannel } from "../support/new-notification.ts";
import { waitUntil } from "../support/wait-until.ts";

const channel = testChannel();

/** What a log compares a notification with before it appends it. */
export function repeatsContract(engine: EngineName): void {
  describe("repeats", () => {
    test("the same document gives the first answer and appends nothing", async () => {
      await using store = await openEngine(engine);
      const document = newNotification("<same/>", { receipt: "first" });
      const first = await store.log.append(channel, document);
      const again = await store.log.append(channel, { ...document, receipt: "second" });
      expect(again).toEqual({ kind: "repeated", entry: entryOf(first) });
      expect(entryOf(again).receipt).toBe("first");
      expect((await store.log.bounds(channel)).newest).toBe(1);
    });

    test("of 50 publications of one document at once, one is appended", async () => {
      await using store = await openEngine(engine);
      const outcomes = await Promise.all(
        Array.from({ length: 50 }, () => store.log.append(channel, newNotification("<same/>"))),
      );
      expect(outcomes.filter(({ kind }) => kind === "appended")).toHaveLength(1);
      expect(outcomes.filter(({ kind }) => kind === "repeated")).toHaveLength(49);
      expect(new Set(outcomes.map((outcome) => entryOf(outcome).position)).size).toBe(1);
    });

    test("a key that comes again with its document is a repeat, with another one it is reused", async () => {
      await using store = await openEngine(engine);
      const first = await store.log.append(channel, newNotification("<a/>", { idempotencyKey: "k 1" }));
      const again = await store.log.append(channel, newNotification("<a/>", { idempotencyKey: "k 1" }));
      const reused = await store.log.append(channel, newNotification("<b/>", { idempotencyKey: "k 1" }));
      expect(again).toEqual({ kind: "repeated", entry: entryOf(first) });
      expect(reused).toEqual({ kind: "key-reused", entry: entryOf(first) });
      expect((await store.log.bounds(channel)).newest).toBe(1);
    });

    test("a key that came with a repeated document stands for that document", async () => {
      await using store = await openEngine(engine);
      await store.log.append(channel, newNotification("<a/>"));
      await store.log.append(channel, newNotification("<a/>", { idempotencyKey: "late" }));
      const reused = await store.log.append(channel, newNotification("<b/>", { idempotencyKey: "late" }));
      expect(reused.kind).toBe("key-reused");
    });

    test("a key of any length and any characters serves", async () => {
      await using store = await openEngine(engine);
      const idempotencyKey = "{ü} \n:".repeat(2000);
      await store.log.append(channel, newNotification("<a/>", { idempotencyKey }));
      const again = await store.log.append(channel, newNotification("<a/>", { idempotencyKey }));
      expect(again.kind).toBe("repeated");
    });

    test("after the repeat window the same document is a new notification", async () => {
      await using store = await openEngine(engine);
      const document = newNotification("<a/>", { repeatWindow: 30, idempotencyKey: "k" });
      await store.log.append(channel, document);
      await waitUntil(async () => {
        expect((await store.log.append(channel, document)).kind).toBe("appended");
      });
    });

    test("a repeat is known after its notification was trimmed", async () => {
      await using store = await openEngine(engine);
      const first = await store.log.append(channel, newNotification("<a/>"));
      await store.log.trimBefore(channel, 2);
      const again = await store.log.append(channel, newNotification("<a/>"));
      expect(again).toEqual({ kind: "repeated", entry: entryOf(first) });
    });
  });

  describe("intervals", () => {
    const interval = (from: string, until: string) => ({ from: instant(from), until: instant(until) });

    test("each answer names where the interval before it ended", async () => {
      await using store = await openEngine(engine);
      const intervals = [
        interval("2026-01-01T00:00:00Z", "2026-01-01T01:00:00Z"),
        interval("2026-01-01T01:00:00Z", "2026-01-01T02:00:00.25Z"),
        interval("2026-01-01T03:00:00Z", "2026-01-01T04:00:00Z"),
      ];
      const previous = [];
      for (const [index, each] of intervals.entries()) {
        const outcome = await store.log.append(channel, newNotification(`<n${index}/>`, { interval: each }));
        previous.push(entryOf(outcome).previousUntil);
      }
      expect(previous).toEqual([undefined, intervals[0]?.until, intervals[1]?.until]);
    });

    test("an overlap that is to be refused leaves no trace", async () => {
      await using store = await openEngine(engine);
      const first = interval("2026-01-01T00:00:00Z", "2026-01-01T02:00:00Z");
      await store.log.append(channel, newNotification("<a/>", { interval: first }));
      const overlapping = newNotification("<b/>", {
        interval: interval("2026-01-01T01:59:59.999Z", "2026-01-01T03:00:00Z"),
        refuseOverlap: true,
        idempotencyKey: "k",
      });
      const refused = { kind: "overlapping", previousUntil: first.until };
      expect(await store.log.append(channel, overlapping)).toEqual(refused);
      expect(await store.log.append(channel, overlapping)).toEqual(refused);
      expect((await store.log.bounds(channel)).newest).toBe(1);
    });

    test("an overlap that is only told is appended, and the latest end is remembered", async () => {
      await using store = await openEngine(engine);
      const long = interval("2026-01-01T00:00:00Z", "2026-01-01T05:00:00Z");
      const inside = interval("2026-01-01T01:00:00Z", "2026-01-01T02:00:00Z");
      const after = interval("2026-01-01T05:00:00Z", "2026-01-01T06:00:00Z");
      await store.log.append(channel, newNotification("<a/>", { interval: long }));
      const second = await store.log.append(channel, newNotification("<b/>", { interval: inside }));
      const third = await store.log.append(
        channel,
        newNotification("<c/>", { interval: after, refuseOverlap: true }),
      );
      expect(entryOf(second).previousUntil).toBe(long.until);
      expect(third).toMatchObject({ kind: "appended", entry: { previousUntil: long.until } });
    });
  });
}
