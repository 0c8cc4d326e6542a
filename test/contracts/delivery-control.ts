import { describe, expect, test } from "vitest";
import { maxPauseNote } from "../../src/delivery/delivery-control.ts";
import { type EngineName, openEngine } from "../support/engines.ts";
import { claimOne, failingUntil, idOf, lettersOf, parkFirst, prepare } from "../support/new-delivery.ts";
import { testChannel } from "../support/new-notification.ts";
import { newSubscription } from "../support/new-subscription.ts";

const channel = testChannel();
const start = 1_700_000_000_000;

/** What an operator's hand on subscriptions does, whatever stores them. */
export function deliveryControlContract(engine: EngineName): void {
  const open = (clock: { now: number } = { now: start }) => openEngine(engine, { now: () => clock.now });
  const unknown = idOf("unknown");

  describe("an operator's pause", () => {
    test("it stops a subscription at once: who delivers to it moves the cursor no more", async () => {
      await using store = await open();
      await prepare(store, 3, ["a"]);
      const claim = await claimOne(store, "a", start);
      expect(await store.control.pause(channel, idOf("a"), "callback under repair")).toBe(true);
      expect(await store.ledger.advance(channel, [{ claim, from: 0, to: 1 }])).toEqual([false]);
      expect(await store.ledger.defer(claim, failingUntil(start))).toBe(false);
      expect(await store.ledger.keep(channel, [claim])).toEqual([claim]);
      expect(await store.ledger.release(channel, [claim])).toEqual([]);
      expect(await store.ledger.claim(channel, "all", start + 1e9)).toEqual([]);
      expect(await store.ledger.backlog(channel, start + 1e9)).toEqual({ due: [], waiting: [] });
      expect(await store.ledger.progress(channel, idOf("a"))).toEqual({
        cursor: 0,
        failing: undefined,
        paused: { at: start, because: "operator", note: "callback under repair" },
      });
    });

    test("it says why and since when, after a restart too, and its note is bounded", async () => {
      await using one = await open();
      await prepare(one, 1, ["a", "b"]);
      await one.ledger.defer(await claimOne(one, "a", start), failingUntil(start + 5000));
      await one.control.pause(channel, idOf("a"), "x".repeat(10_000));
      await one.control.pause(channel, idOf("b"));
      await using two = await one.reopen();
      expect(await two.ledger.progress(channel, idOf("a"))).toEqual({
        cursor: 0,
        failing: failingUntil(start + 5000),
        paused: { at: start, because: "operator", note: "x".repeat(maxPauseNote) },
      });
      const b = await two.ledger.progress(channel, idOf("b"));
      expect(b?.paused).toEqual({ at: start, because: "operator", note: undefined });
    });

    test("a renewal does not end it, but forgets the failures", async () => {
      await using store = await open();
      await prepare(store, 1, ["a"]);
      await store.ledger.defer(await claimOne(store, "a", start), failingUntil(start + 5000));
      await store.control.pause(channel, idOf("a"), "spam");
      await store.subscriptions.activate(newSubscription("a"), 0);
      expect(await store.ledger.progress(channel, idOf("a"))).toEqual({
        cursor: 0,
        failing: undefined,
        paused: { at: start, because: "operator", note: "spam" },
      });
      expect(await store.ledger.claim(channel, "all", start + 1e9)).toEqual([]);
    });

    test("it takes the place of a pause that exhausted attempts led to", async () => {
      await using store = await open();
      await prepare(store, 1, ["a"]);
      await store.ledger.pause(await claimOne(store, "a", start), failingUntil(start));
      expect(await store.control.pause(channel, idOf("a"), "looked at")).toBe(true);
      await store.subscriptions.activate(newSubscription("a"), 0);
      expect(await store.ledger.progress(channel, idOf("a"))).toMatchObject({
        paused: { because: "operator", note: "looked at" },
      });
    });

    test("after it, the schedule of attempts begins anew; what is not paused is not resumed", async () => {
      await using store = await open();
      await prepare(store, 1, ["a"]);
      await store.ledger.defer(await claimOne(store, "a", start), failingUntil(start + 5000));
      expect(await store.control.resume(channel, idOf("a"))).toBe(false);
      await store.control.pause(channel, idOf("a"));
      expect(await store.control.resume(channel, idOf("a"))).toBe(true);
      expect(await store.control.resume(channel, idOf("a"))).toBe(false);
      const { progress } = await claimOne(store, "a", start);
      expect(progress).toEqual({ cursor: 0, failing: undefined, paused: undefined });
    });

    test("the wait for the next attempt can be ended, which ends no pause", async () => {
      await using store = await open();
      await prepare(store, 1, ["a"]);
      expect(await store.control.hasten(channel, idOf("a"))).toBe(false);
      await store.ledger.defer(await claimOne(store, "a", start), failingUntil(start + 5000));
      expect(await store.control.hasten(channel, idOf("a"))).toBe(true);
      const { progress } = await claimOne(store, "a", start);
      expect(progress).toEqual({ cursor: 0, failing: undefined, paused: undefined });
      await store.control.pause(channel, idOf("a"));
      expect(await store.control.hasten(channel, idOf("a"))).toBe(false);
      expect(await store.ledger.progress(channel, idOf("a"))).toMatchObject({
        paused: { because: "operator" },
      });
    });

    test("there is none of a subscription that does not exist, and it ends with the subscription", async () => {
      await using store = await open();
      await prepare(store, 1, ["a"]);
      expect(await store.control.pause(channel, unknown)).toBe(false);
      expect(await store.control.resume(channel, unknown)).toBe(false);
      await store.control.pause(channel, idOf("a"));
      await store.subscriptions.end(channel, idOf("a"));
      await store.subscriptions.activate(newSubscription("a"), 0);
      expect(await store.ledger.progress(channel, idOf("a"))).toMatchObject({ paused: undefined });
    });
  });

  describe("rewinding", () => {
    test("the subscription goes on from any place that the log has, back or forward", async () => {
      await using store = await open();
      await prepare(store, 5, ["a"]);
      await store.log.trimBefore(channel, 3);
      for (const to of [5, 2, 3]) {
        expect(await store.control.rewind(channel, idOf("a"), to)).toBe("rewound");
        expect(await store.ledger.progress(channel, idOf("a"))).toMatchObject({ cursor: to });
      }
      for (const to of [6, 1, 0, -1]) {
        expect(await store.control.rewind(channel, idOf("a"), to)).toBe("outside-log");
      }
      expect(await store.ledger.progress(channel, idOf("a"))).toMatchObject({ cursor: 3 });
      expect(await store.control.rewind(channel, unknown, 3)).toBe("no-subscription");
    });

    test("in a channel without notifications only its one place is there", async () => {
      await using store = await open();
      await prepare(store, 0, ["a"]);
      expect(await store.control.rewind(channel, idOf("a"), 0)).toBe("rewound");
      expect(await store.control.rewind(channel, idOf("a"), 1)).toBe("outside-log");
    });

    test("it breaks the claim, forgets failures and their pause, and keeps an operator's pause and dead letters", async () => {
      await using store = await open();
      await prepare(store, 4, ["claimed", "failing", "exhausted", "paused"]);
      await parkFirst(store, "failing", 2);
      await store.ledger.defer(await claimOne(store, "failing", start), failingUntil(start + 5000));
      await store.ledger.pause(await claimOne(store, "exhausted", start), failingUntil(start));
      await store.ledger.defer(await claimOne(store, "paused", start), failingUntil(start + 5000));
      await store.control.pause(channel, idOf("paused"), "wait");
      const claim = await claimOne(store, "claimed", start);
      await store.ledger.advance(channel, [{ claim, from: 0, to: 4 }]);
      for (const name of ["claimed", "failing", "exhausted", "paused"]) {
        expect(await store.control.rewind(channel, idOf(name), 1)).toBe("rewound");
      }
      expect(await store.ledger.advance(channel, [{ claim, from: 1, to: 2 }])).toEqual([false]);
      const due = await store.ledger.claim(channel, "all", start);
      expect(new Set(due.map(({ subscription }) => subscription.id))).toEqual(
        new Set([idOf("claimed"), idOf("failing"), idOf("exhausted")]),
      );
      expect(due.every(({ progress }) => progress.cursor === 1 && progress.failing === undefined)).toBe(true);
      expect(await store.ledger.progress(channel, idOf("paused"))).toEqual({
        cursor: 1,
        failing: undefined,
        paused: { at: start, because: "operator", note: "wait" },
      });
      expect(await lettersOf(store, "failing")).toEqual([1, 2]);
    });
  });
}
