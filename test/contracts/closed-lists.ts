import { describe, expect, test } from "vitest";
import type { ClosedDocument, OpenList } from "../../src/discovery/closed-lists.ts";
import { type EngineName, openEngine } from "../support/engines.ts";
import { instant, testChannel } from "../support/new-notification.ts";

const channel = testChannel();
const other = testChannel("atlas");

const open = (n: number, firstSequence = n * 10): OpenList => ({
  n,
  firstSequence,
  from: instant(`2026-01-0${n}T00:00:00.25Z`),
  mayBeginEarlier: n === 1,
  openedAt: n * 1000,
});
const closed = (n: number): ClosedDocument => ({
  list: {
    n,
    firstSequence: n * 10,
    lastSequence: n * 10 + 9,
    from: instant(`2026-01-0${n}T00:00:00.25Z`),
    until: instant(`2026-01-0${n + 1}T00:00:00.25Z`),
    entries: 7,
    bytes: 70_000,
    digest: `digest-${n}`,
    closedAt: n * 1000,
  },
  gzipped: Buffer.from([0, 255, n, 13, 10]),
});

/** What every store of Change Lists keeps to, whatever stores it. */
export function closedListsContract(engine: EngineName): void {
  describe("the open list", () => {
    test("is none before it was opened; then it is the one that was opened, in its channel only, also after a restart", async () => {
      await using one = await openEngine(engine);
      expect(await one.lists.state(channel)).toBeUndefined();
      expect(await one.lists.open(channel, open(1), undefined)).toBe(true);
      await using two = await one.reopen();
      expect(await two.lists.state(channel)).toEqual({ open: open(1), changedAt: 1000, announced: 0 });
      expect(await two.lists.state(other)).toBeUndefined();
    });

    test("is opened once by those who come at once", async () => {
      await using store = await openEngine(engine);
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, index) => store.lists.open(channel, open(1, index + 1), undefined)),
      );
      expect(outcomes.filter(Boolean)).toHaveLength(1);
      expect((await store.lists.state(channel))?.open.firstSequence).toBe(outcomes.indexOf(true) + 1);
    });

    test("can be replaced by one with the same number that begins later, and then not from the old place again", async () => {
      await using store = await openEngine(engine);
      await store.lists.open(channel, open(1), undefined);
      expect(await store.lists.open(channel, open(1, 50), open(1))).toBe(true);
      expect(await store.lists.open(channel, open(1, 70), open(1))).toBe(false);
      expect((await store.lists.state(channel))?.open.firstSequence).toBe(50);
      expect(await store.lists.list(channel)).toEqual([]);
    });
  });

  describe("closed lists", () => {
    test("what is closed is listed in order and read back byte for byte, also after a restart", async () => {
      await using one = await openEngine(engine);
      await one.lists.open(channel, open(1), undefined);
      for (const n of [1, 2]) await one.lists.open(channel, open(n + 1), open(n), closed(n));
      await using two = await one.reopen();
      expect(await two.lists.list(channel)).toEqual([closed(1).list, closed(2).list]);
      expect(await two.lists.read(channel, 2)).toEqual(closed(2));
      expect(await two.lists.state(channel)).toEqual({ open: open(3), changedAt: 3000, announced: 0 });
      expect(await two.lists.read(channel, 3)).toBeUndefined();
      expect(await two.lists.read(other, 1)).toBeUndefined();
      expect(await two.lists.list(other)).toEqual([]);
    });

    test("of those who close the same list at once, one does, and nothing of the others is kept", async () => {
      await using store = await openEngine(engine);
      await store.lists.open(channel, open(1), undefined);
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, async (_, index) => {
          const { list } = closed(1);
          const document = { list: { ...list, entries: index }, gzipped: Buffer.from([index]) };
          return await store.lists.open(channel, open(2), open(1), document);
        }),
      );
      expect(outcomes.filter(Boolean)).toHaveLength(1);
      const winner = outcomes.indexOf(true);
      const kept = await store.lists.read(channel, 1);
      expect([kept?.list.entries, ...(kept?.gzipped ?? [])]).toEqual([winner, winner]);
    });

    test("more than ten are still in the order of their numbers", async () => {
      await using store = await openEngine(engine);
      const nth = (n: number): OpenList => ({ ...open(1), n, firstSequence: n });
      await store.lists.open(channel, nth(1), undefined);
      for (let n = 1; n <= 12; n += 1) {
        const document = { ...closed(1), list: { ...closed(1).list, n } };
        await store.lists.open(channel, nth(n + 1), nth(n), document);
      }
      const numbers = (await store.lists.list(channel)).map(({ n }) => n);
      expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    });

    test("what is dropped is gone, the rest stays, and the store knows when", async () => {
      await using store = await openEngine(engine);
      await store.lists.open(channel, open(1), undefined);
      for (const n of [1, 2, 3]) await store.lists.open(channel, open(n + 1), open(n), closed(n));
      expect(await store.lists.drop(channel, 2, 77_000)).toBe(2);
      expect(await store.lists.drop(channel, 2, 88_000)).toBe(0);
      expect(await store.lists.list(channel)).toEqual([closed(3).list]);
      expect(await store.lists.read(channel, 1)).toBeUndefined();
      expect(await store.lists.state(channel)).toMatchObject({ open: open(4), changedAt: 77_000 });
    });

    test("what was announced only goes forward, and outlives the next closing", async () => {
      await using store = await openEngine(engine);
      await store.lists.open(channel, open(1), undefined);
      await store.lists.open(channel, open(2), open(1), closed(1));
      await store.lists.markAnnounced(channel, 1);
      await store.lists.markAnnounced(channel, 0);
      await store.lists.open(channel, open(3), open(2), closed(2));
      expect((await store.lists.state(channel))?.announced).toBe(1);
    });
  });

  describe("announced documents", () => {
    test("the last one is remembered, also after a restart, and a late one changes nothing", async () => {
      await using one = await openEngine(engine);
      expect(await one.announced.get("description")).toBeUndefined();
      await one.announced.put("description", { digest: "a", version: 1 });
      await one.announced.put("description", { digest: "b", version: 2 });
      await one.announced.put("description", { digest: "c", version: 2 });
      await one.announced.put("description", { digest: "a", version: 1 });
      await using two = await one.reopen();
      expect(await two.announced.get("description")).toEqual({ digest: "b", version: 2 });
      expect(await two.announced.get("capabilitylist maps")).toBeUndefined();
    });
  });
}
