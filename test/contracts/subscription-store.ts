import { describe, expect, test } from "vitest";
import { type EngineName, openEngine } from "../support/engines.ts";
import { testChannel } from "../support/new-notification.ts";
import { newIntent, newSubscription } from "../support/new-subscription.ts";

const channel = testChannel();

/** What every subscription store keeps to, whatever stores it. */
export function subscriptionStoreContract(engine: EngineName): void {
  describe("subscriptions", () => {
    test("what was activated is found and listed, in its channel only, and after a restart", async () => {
      await using one = await openEngine(engine);
      const a = newSubscription("a", { secret: "s3cret ä" });
      const b = newSubscription("b");
      const elsewhere = newSubscription("a", { channel: testChannel("atlas") });
      for (const subscription of [a, b, elsewhere]) {
        expect(await one.subscriptions.activate(subscription, 0)).toBe("created");
      }
      await using two = await one.reopen();
      expect(await two.subscriptions.find(channel, a.id)).toEqual(a);
      const listed = await two.subscriptions.list(channel);
      expect(listed).toHaveLength(2);
      expect(listed).toEqual(expect.arrayContaining([a, b]));
      expect(await two.subscriptions.find(testChannel("nowhere"), a.id)).toBeUndefined();
    });

    test("a renewal replaces everything but when the subscription began and its cursor (WebSub §5.1)", async () => {
      await using store = await openEngine(engine);
      const first = newSubscription("a", { secret: "old" });
      await store.subscriptions.activate(first, 7);
      const renewal = { ...first, secret: undefined, leaseSeconds: 60, expiresAt: 5, createdAt: 9 };
      expect(await store.subscriptions.activate(renewal, 99)).toBe("renewed");
      expect(await store.subscriptions.find(channel, first.id)).toEqual({
        ...renewal,
        createdAt: first.createdAt,
      });
      expect(await store.ledger.progress(channel, first.id)).toMatchObject({ cursor: 7 });
    });

    test("by whose right a private set is received is kept, and a renewal replaces it", async () => {
      await using store = await openEngine(engine);
      const { subscriptions } = store;
      const configured = { from: "subscribers", name: "friend", until: undefined };
      const signed = { from: "jwt:https://login.example.org/ä", name: 'a "b"', until: 1_750_000_000_000 };
      const [a, b] = [newSubscription("a", { authority: configured }), newSubscription("b")];
      await subscriptions.activate(a, 0);
      await subscriptions.activate(b, 0);
      expect(await subscriptions.find(channel, a.id)).toEqual(a);
      expect(await subscriptions.find(channel, b.id)).toEqual(b);
      await subscriptions.activate({ ...a, authority: signed }, 0);
      expect(await subscriptions.find(channel, a.id)).toEqual({ ...a, authority: signed });
      await subscriptions.rotateSecret(channel, a.id, "s", 5);
      await subscriptions.setExhausted(channel, a.id, "pause");
      expect((await subscriptions.find(channel, a.id))?.authority, "an operator changes it").toEqual(signed);
      await subscriptions.activate({ ...a, authority: undefined }, 0);
      expect((await subscriptions.find(channel, a.id))?.authority).toBeUndefined();

      await subscriptions.remember(newIntent("c", { authority: signed }), 0);
      expect(await subscriptions.takeOverdue(1, 2, 9)).toEqual([newIntent("c", { authority: signed })]);
    });

    test("a secret that is replaced is kept until the time that is given; a renewal without one ends signing", async () => {
      await using store = await openEngine(engine);
      const { subscriptions } = store;
      const first = newSubscription("a", { secret: "first" });
      const stored = async () => {
        const { secret, previousSecret } = (await subscriptions.find(channel, first.id))!;
        return { secret, previousSecret };
      };
      await subscriptions.activate(first, 0, 900);
      expect(await stored()).toEqual({ secret: "first", previousSecret: undefined });
      await subscriptions.activate({ ...first, secret: "second" }, 0, 1000);
      const kept = { secret: "second", previousSecret: { secret: "first", until: 1000 } };
      expect(await stored()).toEqual(kept);
      await subscriptions.activate({ ...first, secret: "second" }, 0, 2000);
      expect(await stored(), "the same secret again").toEqual(kept);
      await subscriptions.activate({ ...first, secret: "third" }, 0);
      expect(await stored(), "no grace").toEqual({ secret: "third", previousSecret: undefined });
      await subscriptions.activate({ ...first, secret: "fourth" }, 0, 3000);
      await subscriptions.activate({ ...first, secret: undefined }, 0, 4000);
      expect(await stored()).toEqual({ secret: undefined, previousSecret: undefined });
    });

    test("an operator replaces a secret", async () => {
      await using store = await openEngine(engine);
      const { subscriptions } = store;
      const { id } = newSubscription("a");
      expect(await subscriptions.rotateSecret(channel, id, "x", 5)).toBe(false);
      await subscriptions.activate(newSubscription("a"), 0);
      expect(await subscriptions.rotateSecret(channel, id, "öne", 1000)).toBe(true);
      expect(await subscriptions.find(channel, id)).toEqual(newSubscription("a", { secret: "öne" }));
      expect(await subscriptions.rotateSecret(channel, id, "two", 2000)).toBe(true);
      expect(await subscriptions.find(channel, id)).toEqual(
        newSubscription("a", { secret: "two", previousSecret: { secret: "öne", until: 2000 } }),
      );
    });

    test("what an operator decided for exhausted attempts outlives renewals", async () => {
      await using store = await openEngine(engine);
      const { subscriptions } = store;
      const { id } = newSubscription("a");
      expect(await subscriptions.setExhausted(channel, id, "pause")).toBe(false);
      await subscriptions.activate(newSubscription("a"), 0);
      expect(await subscriptions.setExhausted(channel, id, "pause")).toBe(true);
      await subscriptions.activate(newSubscription("a"), 0);
      expect(await subscriptions.find(channel, id)).toEqual(newSubscription("a", { exhausted: "pause" }));
      await subscriptions.setExhausted(channel, id, undefined);
      expect(await subscriptions.find(channel, id)).toEqual(newSubscription("a"));
    });

    test("a subscription begins with its cursor and ends with it", async () => {
      await using store = await openEngine(engine);
      const { id } = newSubscription("a");
      await store.subscriptions.activate(newSubscription("a"), 3);
      expect(await store.ledger.progress(channel, id)).toEqual({
        cursor: 3,
        failing: undefined,
        paused: undefined,
      });
      expect(await store.subscriptions.end(channel, id)).toBe(true);
      expect(await store.subscriptions.end(channel, id)).toBe(false);
      expect(await store.subscriptions.find(channel, id)).toBeUndefined();
      expect(await store.ledger.progress(channel, id)).toBeUndefined();
      expect(await store.ledger.ids(channel)).toEqual([]);
    });

    test("of activations at once, one creates", async () => {
      await using store = await openEngine(engine);
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, () => store.subscriptions.activate(newSubscription("a"), 0)),
      );
      expect(outcomes.filter((outcome) => outcome === "created")).toHaveLength(1);
    });
  });

  describe("requests that wait for their verification", () => {
    test("a request is handed out when it is overdue, and then hidden again", async () => {
      await using one = await openEngine(engine);
      const request = newIntent("a", { secret: "s3cret" });
      await one.subscriptions.remember(request, 1000);
      await using two = await one.reopen();
      expect(await two.subscriptions.takeOverdue(999, 2000, 10)).toEqual([]);
      expect(await two.subscriptions.takeOverdue(1000, 2000, 10)).toEqual([request]);
      expect(await two.subscriptions.takeOverdue(1999, 3000, 10)).toEqual([]);
      expect(await two.subscriptions.takeOverdue(2000, 3000, 10)).toEqual([request]);
    });

    test("a forgotten request never comes back", async () => {
      await using store = await openEngine(engine);
      await store.subscriptions.remember(newIntent("a"), 1000);
      await store.subscriptions.remember(newIntent("b"), 1000);
      await store.subscriptions.forget(newIntent("a"));
      expect(await store.subscriptions.takeOverdue(5000, 6000, 10)).toEqual([newIntent("b")]);
    });

    test("each overdue request is taken by one of those that ask at once, and no more than the limit", async () => {
      await using store = await openEngine(engine);
      for (let n = 0; n < 30; n += 1) await store.subscriptions.remember(newIntent(`${n}`), 1000);
      const taken = await Promise.all(
        Array.from({ length: 4 }, () => store.subscriptions.takeOverdue(2000, 9000, 10)),
      );
      expect(taken.map((requests) => requests.length).toSorted((a, b) => a - b)).toEqual([0, 10, 10, 10]);
      expect(new Set(taken.flat().map(({ id }) => id)).size).toBe(30);
    });
  });
}
