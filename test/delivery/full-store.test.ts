import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createEmbeddedDeliveryStores } from "../../src/delivery/embedded-delivery-stores.ts";
import { claimMilliseconds } from "../../src/delivery/delivery-ledger.ts";
import { openEmbeddedEnvironment } from "../../src/log/embedded-environment.ts";
import { createEmbeddedNotificationLog } from "../../src/log/embedded-notification-log.ts";
import { StorageUnavailable } from "../../src/log/notification-log.ts";
import { createEmbeddedSubscriptionStore } from "../../src/subscriptions/embedded-subscription-store.ts";
import { newNotification, testChannel } from "../support/new-notification.ts";
import { newSubscription } from "../support/new-subscription.ts";

const channel = testChannel();

test("while the embedded store takes no writes nothing is claimed again: what was delivered once could not be remembered", async () => {
  const directory = await mkdtemp(join(tmpdir(), "hub-full-"));
  let isFull = false;
  const environment = await openEmbeddedEnvironment(directory, {
    obstacle: () => (isFull ? "The disk is full" : undefined),
  });
  const log = createEmbeddedNotificationLog(environment);
  const { ledger } = createEmbeddedDeliveryStores(environment, { now: Date.now });
  try {
    await log.append(channel, newNotification("<a/>"));
    await createEmbeddedSubscriptionStore(environment).activate(newSubscription("a"), 0, 0);
    const now = Date.now();
    const [claim] = await ledger.claim(channel, "all", now);
    if (claim === undefined) throw new Error("nothing was claimed");

    isFull = true;
    await expect(ledger.advance(channel, [{ claim, from: 0, to: 1 }])).rejects.toThrow(StorageUnavailable);
    const lapsed = now + claimMilliseconds;
    await expect(ledger.claim(channel, "all", lapsed)).rejects.toThrow("The disk is full");

    isFull = false;
    expect(await ledger.claim(channel, "all", lapsed)).toHaveLength(1);
  } finally {
    await log.close();
    await environment.close();
    await rm(directory, { recursive: true, force: true });
  }
});
