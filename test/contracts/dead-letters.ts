import { describe, expect, test } from "vitest";
import { claimMilliseconds } from "../../src/delivery/delivery-ledger.ts";
import { type EngineName, openEngine } from "../support/engines.ts";
import { claimOne, idOf, letterOf, lettersOf, parkFirst, prepare } from "../support/new-delivery.ts";
import { testChannel } from "../support/new-notification.ts";
import { newSubscription } from "../support/new-subscription.ts";

const channel = testChannel();
const start = 1_700_000_000_000;

/** What every store of dead letters keeps to. */
export function deadLettersContract(engine: EngineName): void {
  const open = () => openEngine(engine, { now: () => start });
  const a = idOf("a");

  describe("dead letters", () => {
    test("they are read page by page, lowest first, and counted, of one subscription", async () => {
      await using store = await open();
      await prepare(store, 12, ["a", "b"]);
      await parkFirst(store, "a", 12);
      await parkFirst(store, "b", 1);
      const page = (after: number, limit: number) => store.deadLetters.page(channel, a, { after, limit });
      expect(await page(0, 5)).toEqual([1, 2, 3, 4, 5].map((sequence) => letterOf(a, sequence)));
      expect((await page(9, 5)).map(({ sequence }) => sequence)).toEqual([10, 11, 12]);
      expect(await page(12, 5)).toEqual([]);
      expect(await store.deadLetters.count(channel, a)).toBe(12);
      expect(await store.deadLetters.count(channel, idOf("unknown"))).toBe(0);
    });

    test("the oldest go where there are more than are kept, and their marks with them", async () => {
      await using store = await open();
      await prepare(store, 5, ["a"]);
      await parkFirst(store, "a", 3);
      await store.deadLetters.resend(channel, a, [1]);
      const claim = await claimOne(store, "a", start);
      const outcome = await store.ledger.park({ claim, from: 3, to: 4 }, letterOf(a, 4), 2);
      expect(outcome).toEqual({ kind: "parked", dropped: 2 });
      expect(await lettersOf(store, "a")).toEqual([3, 4]);
      expect(await store.ledger.nextResend(channel, a)).toBeUndefined();
    });

    test("some are dropped, or all that were parked since a time", async () => {
      await using store = await open();
      await prepare(store, 10, ["a"]);
      await parkFirst(store, "a", 10);
      expect(await store.deadLetters.drop(channel, a, [2, 3, 99])).toBe(2);
      expect(await lettersOf(store, "a")).toEqual([1, 4, 5, 6, 7, 8, 9, 10]);
      expect(await store.deadLetters.drop(channel, a, { since: start + 6 })).toBe(5);
      expect(await lettersOf(store, "a")).toEqual([1, 4, 5]);
      expect(await store.deadLetters.drop(channel, a, [])).toBe(0);
    });

    test("more than fit in one step are marked and dropped", async () => {
      await using store = await open();
      await prepare(store, 620, ["a"]);
      await parkFirst(store, "a", 620);
      expect(await store.deadLetters.resend(channel, a, { since: 0 })).toEqual({ marked: 620, gone: 0 });
      const claim = await claimOne(store, "a", start);
      expect(await store.ledger.forgetResends(claim)).toBe(620);
      expect(await store.deadLetters.drop(channel, a, { since: 0 })).toBe(620);
    });
  });

  describe("sending letters again", () => {
    test("a subscription with marked letters has work to do, even with its cursor at the end", async () => {
      await using store = await open();
      await prepare(store, 2, ["a", "level"]);
      await parkFirst(store, "a", 2);
      const level = await claimOne(store, "level", start);
      await store.ledger.advance(channel, [{ claim: level, from: 0, to: 2 }]);
      await store.ledger.release(channel, [level]);
      expect(await store.ledger.backlog(channel, start)).toEqual({ due: [], waiting: [] });
      expect(await store.deadLetters.resend(channel, a, [1, 2, 99])).toEqual({ marked: 2, gone: 0 });
      expect(await store.ledger.backlog(channel, start)).toEqual({ due: [a], waiting: [] });
      const claims = await store.ledger.claim(channel, "all", start);
      expect(claims).toMatchObject([{ subscription: { id: a }, resends: true, progress: { cursor: 2 } }]);
      expect(await store.ledger.release(channel, claims)).toEqual([a]);
    });

    test("marks survive a restart, and come lowest first", async () => {
      await using one = await open();
      await prepare(one, 12, ["a"]);
      await parkFirst(one, "a", 12);
      await one.deadLetters.resend(channel, a, [11, 2, 10]);
      await using two = await one.reopen();
      const claim = await claimOne(two, "a", start + claimMilliseconds);
      for (const sequence of [2, 10, 11]) {
        const letter = letterOf(a, sequence);
        expect(await two.ledger.nextResend(channel, a)).toEqual({ sequence, letter });
        expect(await two.ledger.settleResend(claim, sequence, undefined)).toBe(true);
      }
      expect(await two.ledger.nextResend(channel, a)).toBeUndefined();
      expect(await two.ledger.release(channel, [claim])).toEqual([]);
      expect(await lettersOf(two, "a")).toEqual([1, 3, 4, 5, 6, 7, 8, 9, 12]);
    });

    test("a letter that was refused again stays, with its new attempt and without its mark", async () => {
      await using store = await open();
      await prepare(store, 2, ["a"]);
      await parkFirst(store, "a", 2);
      await store.deadLetters.resend(channel, a, [1]);
      const claim = await claimOne(store, "a", start);
      const again = { ...letterOf(a, 1), attempts: 10, unsendable: "no more" };
      expect(await store.ledger.settleResend(claim, 1, again)).toBe(true);
      expect(await store.deadLetters.page(channel, a, { after: 0, limit: 1 })).toEqual([again]);
      expect(await store.ledger.release(channel, [claim])).toEqual([]);
    });

    test("a letter that was dropped meanwhile does not come back", async () => {
      await using store = await open();
      await prepare(store, 2, ["a"]);
      await parkFirst(store, "a", 2);
      await store.deadLetters.resend(channel, a, [1, 2]);
      const claim = await claimOne(store, "a", start);
      await store.deadLetters.drop(channel, a, [1]);
      expect(await store.ledger.settleResend(claim, 1, letterOf(a, 1))).toBe(true);
      expect(await store.ledger.nextResend(channel, a)).toMatchObject({ sequence: 2 });
      expect(await lettersOf(store, "a")).toEqual([2]);
    });

    test("a claim that was lost settles nothing", async () => {
      await using store = await open();
      await prepare(store, 1, ["a"]);
      await parkFirst(store, "a", 1);
      await store.deadLetters.resend(channel, a, [1]);
      const claim = await claimOne(store, "a", start);
      await store.control.pause(channel, a);
      expect(await store.ledger.settleResend(claim, 1, undefined)).toBe(false);
      expect(await store.ledger.forgetResends(claim)).toBe(0);
      expect(await lettersOf(store, "a")).toEqual([1]);
      await store.control.resume(channel, a);
      expect(await claimOne(store, "a", start)).toMatchObject({ resends: true });
    });

    test("those whose notification the log no longer holds are told", async () => {
      await using store = await open();
      await prepare(store, 4, ["a"]);
      await parkFirst(store, "a", 4);
      await store.log.trimBefore(channel, 3);
      expect(await store.deadLetters.resend(channel, a, [1, 2, 3])).toEqual({ marked: 3, gone: 2 });
    });

    test("letters and marks end with their subscription", async () => {
      await using store = await open();
      await prepare(store, 1, ["a"]);
      await parkFirst(store, "a", 1);
      await store.deadLetters.resend(channel, a, [1]);
      await store.subscriptions.end(channel, a);
      await store.subscriptions.activate(newSubscription("a"), 1);
      expect(await store.deadLetters.count(channel, a)).toBe(0);
      expect(await store.ledger.backlog(channel, start)).toEqual({ due: [], waiting: [] });
    });
  });
}
