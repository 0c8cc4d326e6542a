import { expect, test } from "vitest";
import { type EngineName, openEngine } from "../support/engines.ts";
import { claimOne, failingUntil, idOf, prepare } from "../support/new-delivery.ts";
import { testChannel } from "../support/new-notification.ts";
import { newSubscription } from "../support/new-subscription.ts";

const channel = testChannel();
const start = 1_700_000_000_000;

/** What every ledger says to who came too early. */
export function dueTimesContract(engine: EngineName): void {
  test("who came too early is told how long a subscription still waits, and nothing where time does not help", async () => {
    await using store = await openEngine(engine, { now: () => start });
    await prepare(store, 1, ["a", "paused"]);
    const dueIn = (name: string, now: number) => store.ledger.dueIn(channel, idOf(name), now);
    await store.ledger.defer(await claimOne(store, "a", start), failingUntil(start + 5000));
    expect(await dueIn("a", start + 4700)).toBe(300);
    expect(await dueIn("a", start + 5001)).toBe(0);
    await claimOne(store, "a", start + 5001);
    expect(await dueIn("a", start + 5002), "claimed").toBeUndefined();
    await store.ledger.pause(await claimOne(store, "paused", start), failingUntil(start));
    expect(await dueIn("paused", start)).toBeUndefined();
    await store.subscriptions.activate(newSubscription("level"), 1);
    expect(await dueIn("level", start)).toBeUndefined();
    expect(await dueIn("unknown", start)).toBeUndefined();
  });
}
