import { describe, expect, test } from "vitest";
import { claimMilliseconds } from "../../src/delivery/delivery-ledger.ts";
import { type EngineName, openEngine } from "../support/engines.ts";
import { claimOne, failingUntil, idOf, letterOf, prepare } from "../support/new-delivery.ts";
import { newNotification, testChannel } from "../support/new-notification.ts";
import { newSubscription } from "../support/new-subscription.ts";

const channel = testChannel();
const start = 1_700_000_000_000;

/** What every delivery ledger keeps to, whatever stores it. */
export function deliveryLedgerContract(engine: EngineName): void {
  const open = (clock: { now: number } = { now: start }) => openEngine(engine, { now: () => clock.now });

  describe("claiming", () => {
    test("those that are behind are claimed, with all that delivery needs", async () => {
      await using store = await open();
      await prepare(store, 2, ["behind"]);
      await store.subscriptions.activate(newSubscription("level"), 2);
      const claims = await store.ledger.claim(channel, "all", start);
      expect(claims).toEqual([
        {
          subscription: newSubscription("behind"),
          progress: { cursor: 0, failing: undefined, paused: undefined },
          resends: false,
          fence: claims[0]?.fence,
          incarnation: claims[0]?.incarnation,
        },
      ]);
      expect(await store.ledger.claim(testChannel("empty"), "all", start)).toEqual([]);
      expect(await store.ledger.claim(channel, [], start)).toEqual([]);
    });

    test("only the named ones are claimed, and unknown names are passed over", async () => {
      await using store = await open();
      await prepare(store, 1, ["a", "b"]);
      const claims = await store.ledger.claim(channel, [idOf("b"), idOf("unknown")], start);
      expect(claims.map(({ subscription }) => subscription.id)).toEqual([idOf("b")]);
    });

    test("of those who claim at once, each subscription goes to one", async () => {
      await using store = await open();
      const names = Array.from({ length: 40 }, (_, index) => `s${index}`);
      await prepare(store, 1, names);
      const claims = await Promise.all(
        Array.from({ length: 5 }, () => store.ledger.claim(channel, "all", start)),
      );
      const ids = claims.flat().map(({ subscription }) => subscription.id);
      expect(ids).toHaveLength(40);
      expect(new Set(ids).size).toBe(40);
    });

    test("1,200 subscriptions are claimed, moved and released", async () => {
      await using store = await open();
      const names = Array.from({ length: 1200 }, (_, index) => `s${index}`);
      await store.log.append(channel, newNotification("<a/>"));
      await Promise.all(names.map((name) => store.subscriptions.activate(newSubscription(name), 0)));
      const claims = await store.ledger.claim(channel, "all", start);
      expect(claims).toHaveLength(1200);
      const moved = await store.ledger.advance(
        channel,
        claims.map((claim) => ({ claim, from: 0, to: 1 })),
      );
      expect(moved.every(Boolean)).toBe(true);
      expect(await store.ledger.release(channel, claims)).toEqual([]);
      expect(await store.ledger.backlog(channel, start)).toEqual({ due: [], waiting: [] });
    });

    test("a claim that was given back can be taken at once; one that was not, when it lapses", async () => {
      const clock = { now: start };
      await using store = await open(clock);
      await prepare(store, 1, ["a"]);
      const first = await claimOne(store, "a", start);
      expect(await store.ledger.claim(channel, "all", start + claimMilliseconds - 1)).toEqual([]);
      await store.ledger.release(channel, [first]);
      const second = await claimOne(store, "a", start);
      expect(second.fence).toBeGreaterThan(first.fence);
      const third = await claimOne(store, "a", start + claimMilliseconds);
      expect(third.fence).toBeGreaterThan(second.fence);
    });

    test("a claim that is kept does not lapse", async () => {
      const clock = { now: start };
      await using store = await open(clock);
      await prepare(store, 1, ["a"]);
      const claim = await claimOne(store, "a", start);
      clock.now = start + 10_000;
      expect(await store.ledger.keep(channel, [claim])).toEqual([]);
      expect(await store.ledger.claim(channel, "all", start + claimMilliseconds)).toEqual([]);
      expect(await store.ledger.claim(channel, "all", start + 10_000 + claimMilliseconds)).toHaveLength(1);
      expect(await store.ledger.keep(channel, [claim]), "somebody took it over").toEqual([claim]);
    });
  });

  describe("moving cursors", () => {
    test("a move forward from where the cursor stands is made, any other refused", async () => {
      await using store = await open();
      await prepare(store, 5, ["a"]);
      const claim = await claimOne(store, "a", start);
      const move = async (from: number, to: number) =>
        (await store.ledger.advance(channel, [{ claim, from, to }]))[0];
      expect(await move(0, 2)).toBe(true);
      expect(await move(0, 3)).toBe(false);
      expect(await move(2, 2)).toBe(false);
      expect(await move(2, 1)).toBe(false);
      expect(await move(2, 5)).toBe(true);
      expect(await store.ledger.progress(channel, idOf("a"))).toMatchObject({ cursor: 5 });
    });

    test("a batch answers for each of its moves, and a refused one stops no other", async () => {
      await using store = await open();
      await prepare(store, 3, ["a", "b", "c"]);
      const claims = await store.ledger.claim(channel, [idOf("a"), idOf("b"), idOf("c")], start);
      const moves = claims.map((claim, index) => ({ claim, from: index === 1 ? 2 : 0, to: 3 }));
      expect(await store.ledger.advance(channel, moves)).toEqual([true, false, true]);
    });

    test("a worker whose claim lapsed and was taken over moves nothing any more", async () => {
      await using store = await open();
      await prepare(store, 3, ["a"]);
      const old = await claimOne(store, "a", start);
      const current = await claimOne(store, "a", start + claimMilliseconds);
      expect(await store.ledger.advance(channel, [{ claim: old, from: 0, to: 1 }])).toEqual([false]);
      expect(await store.ledger.defer(old, failingUntil(start))).toBe(false);
      expect(await store.ledger.pause(old, failingUntil(start))).toBe(false);
      expect(await store.ledger.park({ claim: old, from: 0, to: 1 }, letterOf(idOf("a"), 1), 10)).toEqual({
        kind: "claim-lost",
      });
      expect(await store.ledger.release(channel, [old])).toEqual([]);
      expect(await store.ledger.keep(channel, [old, current]), "who took it over keeps it").toEqual([old]);
      expect(await store.deadLetters.page(channel, idOf("a"), { after: 0, limit: 100 })).toEqual([]);
      expect(await store.ledger.advance(channel, [{ claim: current, from: 0, to: 1 }])).toEqual([true]);
    });

    test("a worker whose claim lapsed, but was not taken over, goes on", async () => {
      const clock = { now: start };
      await using store = await open(clock);
      await prepare(store, 1, ["a"]);
      const claim = await claimOne(store, "a", start);
      clock.now = start + 10 * claimMilliseconds;
      expect(await store.ledger.advance(channel, [{ claim, from: 0, to: 1 }])).toEqual([true]);
    });

    test("a claim of a subscription that ended is lost", async () => {
      await using store = await open();
      await prepare(store, 1, ["a"]);
      const claim = await claimOne(store, "a", start);
      await store.subscriptions.end(channel, idOf("a"));
      expect(await store.ledger.keep(channel, [claim])).toEqual([claim]);
    });

    test("a claim of a subscription that ended and began anew moves nothing", async () => {
      await using store = await open();
      await prepare(store, 2, ["a"]);
      const claim = await claimOne(store, "a", start);
      await store.subscriptions.end(channel, idOf("a"));
      expect(await store.ledger.advance(channel, [{ claim, from: 0, to: 1 }])).toEqual([false]);
      expect(await store.ledger.defer(claim, failingUntil(start))).toBe(false);
      await store.subscriptions.activate(newSubscription("a"), 0);
      const next = await claimOne(store, "a", start + claimMilliseconds);
      expect(await store.ledger.advance(channel, [{ claim, from: 0, to: 1 }])).toEqual([false]);
      expect(await store.ledger.advance(channel, [{ claim: next, from: 0, to: 1 }])).toEqual([true]);
    });

    test("cursors survive a restart", async () => {
      await using one = await open();
      await prepare(one, 3, ["a"]);
      const claim = await claimOne(one, "a", start);
      await one.ledger.advance(channel, [{ claim, from: 0, to: 2 }]);
      await one.ledger.defer(claim, failingUntil(start + 5000));
      await using two = await one.reopen();
      expect(await two.ledger.progress(channel, idOf("a"))).toEqual({
        cursor: 2,
        failing: failingUntil(start + 5000),
        paused: undefined,
      });
    });
  });

  describe("failures", () => {
    test("a deferred subscription is free, but not due before its next attempt", async () => {
      await using store = await open();
      await prepare(store, 1, ["a"]);
      const failing = failingUntil(start + 5000);
      expect(await store.ledger.defer(await claimOne(store, "a", start), failing)).toBe(true);
      expect(await store.ledger.claim(channel, "all", start + 4999)).toEqual([]);
      expect(await store.ledger.backlog(channel, start + 4999)).toEqual({
        due: [],
        waiting: [{ id: idOf("a"), at: start + 5000 }],
      });
      const claim = await claimOne(store, "a", start + 5000);
      expect(claim.progress.failing).toEqual(failing);
    });

    test("a cursor that moves ends the failure", async () => {
      await using store = await open();
      await prepare(store, 2, ["a"]);
      await store.ledger.defer(await claimOne(store, "a", start), failingUntil(start + 1));
      const claim = await claimOne(store, "a", start + 1);
      await store.ledger.advance(channel, [{ claim, from: 0, to: 1 }]);
      expect(await store.ledger.progress(channel, idOf("a"))).toEqual({
        cursor: 1,
        failing: undefined,
        paused: undefined,
      });
    });

    test("a parked notification is kept as a dead letter, and the claim stays", async () => {
      await using store = await open();
      await prepare(store, 11, ["a"]);
      const claim = await claimOne(store, "a", start);
      for (let sequence = 1; sequence <= 10; sequence += 1) {
        const move = { claim, from: sequence - 1, to: sequence };
        expect(await store.ledger.park(move, letterOf(idOf("a"), sequence), 100)).toEqual({
          kind: "parked",
          dropped: 0,
        });
      }
      expect(await store.ledger.park({ claim, from: 3, to: 4 }, letterOf(idOf("a"), 4), 100)).toEqual({
        kind: "claim-lost",
      });
      const letters = await store.deadLetters.page(channel, idOf("a"), { after: 0, limit: 100 });
      expect(letters).toEqual(Array.from({ length: 10 }, (_, index) => letterOf(idOf("a"), index + 1)));
      await store.subscriptions.end(channel, idOf("a"));
      expect(await store.deadLetters.page(channel, idOf("a"), { after: 0, limit: 100 })).toEqual([]);
    });

    test("a paused subscription is neither claimed nor told of until it is resumed", async () => {
      await using store = await open();
      await prepare(store, 1, ["a"]);
      const failing = failingUntil(start);
      expect(await store.ledger.pause(await claimOne(store, "a", start), failing)).toBe(true);
      expect(await store.ledger.progress(channel, idOf("a"))).toEqual({
        cursor: 0,
        failing,
        paused: { at: start, because: "exhausted", note: undefined },
      });
      expect(await store.ledger.claim(channel, "all", start + 1e9)).toEqual([]);
      expect(await store.ledger.backlog(channel, start + 1e9)).toEqual({ due: [], waiting: [] });
      expect(await store.control.resume(channel, idOf("a"))).toBe(true);
      expect(await store.control.resume(channel, idOf("a"))).toBe(false);
      const claim = await claimOne(store, "a", start);
      expect(claim.progress, "its schedule begins anew").toEqual({
        cursor: 0,
        failing: undefined,
        paused: undefined,
      });
    });

    test("a renewal forgets the failures and ends a pause: the callback is there again", async () => {
      await using store = await open();
      await prepare(store, 1, ["a"]);
      await store.ledger.pause(await claimOne(store, "a", start), failingUntil(start));
      await store.subscriptions.activate(newSubscription("a", { expiresAt: start + 1 }), 0);
      expect(await store.ledger.progress(channel, idOf("a"))).toMatchObject({
        failing: undefined,
        paused: undefined,
      });
      const [again] = await store.ledger.claim(channel, [idOf("a")], start);
      expect(again?.subscription.expiresAt).toBe(start + 1);
    });
  });

  describe("what is left to do", () => {
    test("a release names those for which something came meanwhile", async () => {
      await using store = await open();
      await prepare(store, 1, ["a", "b"]);
      const claims = await store.ledger.claim(channel, [idOf("a"), idOf("b")], start);
      const moves = claims.map((claim) => ({ claim, from: 0, to: 1 }));
      await store.ledger.advance(channel, moves);
      await store.log.append(channel, newNotification("<meanwhile/>"));
      const released = await store.ledger.release(channel, claims);
      expect(released).toHaveLength(2);
      expect(released).toEqual(expect.arrayContaining([idOf("a"), idOf("b")]));
    });

    test("the backlog names who is behind, due, free and not paused", async () => {
      await using store = await open();
      await prepare(store, 1, ["free", "claimed", "deferred", "paused"]);
      await store.subscriptions.activate(newSubscription("level"), 1);
      await claimOne(store, "claimed", start);
      await store.ledger.defer(await claimOne(store, "deferred", start), failingUntil(start + 9000));
      await store.ledger.pause(await claimOne(store, "paused", start), failingUntil(start));
      expect(await store.ledger.backlog(channel, start)).toEqual({
        due: [idOf("free")],
        waiting: [{ id: idOf("deferred"), at: start + 9000 }],
      });
      const later = await store.ledger.backlog(channel, start + claimMilliseconds);
      expect(new Set(later.due)).toEqual(new Set([idOf("free"), idOf("claimed"), idOf("deferred")]));
    });
  });
}
