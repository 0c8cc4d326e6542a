import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createEmbeddedDeliveryStores } from "../../src/delivery/embedded-delivery-stores.ts";
import { type Claim, claimMilliseconds } from "../../src/delivery/delivery-ledger.ts";
import { openEmbeddedEnvironment } from "../../src/log/embedded-environment.ts";
import { createEmbeddedNotificationLog } from "../../src/log/embedded-notification-log.ts";
import { StorageUnavailable } from "../../src/log/notification-log.ts";
import { createEmbeddedSubscriptionStore } from "../../src/subscriptions/embedded-subscription-store.ts";
import { newNotification, testChannel } from "../support/new-notification.ts";
import { newSubscription } from "../support/new-subscription.ts";

const channel = testChannel();

async function storesOf(obstacle?: () => string | undefined) {
  const directory = await mkdtemp(join(tmpdir(), "hub-full-"));
  const environment = await openEmbeddedEnvironment(directory, obstacle === undefined ? {} : { obstacle });
  const log = createEmbeddedNotificationLog(environment);
  return {
    ...createEmbeddedDeliveryStores(environment, { now: Date.now }),
    log,
    subscriptions: createEmbeddedSubscriptionStore(environment),
    [Symbol.asyncDispose]: async () => {
      await log.close();
      await environment.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

test("while the embedded store takes no writes nothing is claimed again: what was delivered once could not be remembered", async () => {
  let isFull = false;
  await using stores = await storesOf(() => (isFull ? "The disk is full" : undefined));
  const { log, ledger, subscriptions } = stores;
  await log.append(channel, newNotification("<a/>"));
  await subscriptions.activate(newSubscription("a"), 0, 0);
  const now = Date.now();
  const [claim] = await ledger.claim(channel, "all", now);
  if (claim === undefined) throw new Error("nothing was claimed");

  isFull = true;
  await expect(ledger.advance(channel, [{ claim, from: 0, to: 1 }])).rejects.toThrow(StorageUnavailable);
  const lapsed = now + claimMilliseconds;
  await expect(ledger.claim(channel, "all", lapsed)).rejects.toThrow("The disk is full");

  isFull = false;
  expect(await ledger.claim(channel, "all", lapsed)).toHaveLength(1);
});

test("what is paused while the store is tried out is not claimed by what was read before", async () => {
  let isFull = false;
  await using stores = await storesOf(() => (isFull ? "The disk is full" : undefined));
  const { log, ledger, control, subscriptions } = stores;
  await log.append(channel, newNotification("<a/>"));
  const subscription = newSubscription("a");
  await subscriptions.activate(subscription, 0, 0);
  isFull = true;
  await expect(control.pause(channel, subscription.id)).rejects.toThrow("The disk is full");
  isFull = false;
  const [claims] = await Promise.all([
    ledger.claim(channel, "all", Date.now()),
    control.pause(channel, subscription.id),
  ]);
  const moves = claims.map((claim) => ({ claim, from: 0, to: 1 }));
  expect(await ledger.advance(channel, moves)).not.toContain(true);
  expect((await ledger.progress(channel, subscription.id))?.paused?.because).toBe("operator");
});

test.each(["advance", "defer", "pause"] as const)(
  "whoever claims while an operator's pause is on its way to the disk cannot undo it: %s",
  async (how) => {
    await using stores = await storesOf();
    const { log, ledger, control, subscriptions } = stores;
    await log.append(channel, newNotification("<a/>"));
    const subscription = newSubscription("a");
    await subscriptions.activate(subscription, 0, 0);
    const paused = new AbortController();
    const pausing = control.pause(channel, subscription.id, "maintenance").then(() => paused.abort());
    const claims: Claim[] = [];
    while (!paused.signal.aborted) {
      claims.push(...(await ledger.claim(channel, "all", Date.now())));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await pausing;
    expect(claims.length).toBeGreaterThan(0);
    for (const claim of claims) {
      const at = Date.now();
      const last = { at, milliseconds: 1, status: 500, reason: "answered 500", answer: undefined };
      const failing = { attempts: 1, firstFailedAt: at, nextAttemptAt: at + 1, last };
      const moved =
        how === "advance"
          ? (await ledger.advance(channel, [{ claim, from: 0, to: 1 }]))[0]
          : await ledger[how](claim, failing);
      expect(moved).toBe(false);
    }
    const { paused: pause, cursor } = (await ledger.progress(channel, subscription.id)) ?? {};
    expect([pause?.note, cursor]).toEqual(["maintenance", 0]);
  },
);
