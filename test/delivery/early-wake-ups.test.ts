import { Redis } from "ioredis";
import { expect, test } from "vitest";
import { startCallbackServer } from "../support/callback-server.ts";
import { engineNames } from "../support/engines.ts";
import { claimOne, failingUntil } from "../support/new-delivery.ts";
import { newNotification, testChannel } from "../support/new-notification.ts";
import { newSubscription } from "../support/new-subscription.ts";
import { startRedisServer } from "../support/redis-server.ts";
import { startTestDelivery } from "../support/start-delivery.ts";
import { waitUntil } from "../support/wait-until.ts";

const channel = testChannel();
/** Less than a round of the reconciler, which finds what a wake-up was used up for. Seconds. */
const longest = 4;

test("retries come at their time where Redis was slow to store the failures", async () => {
  await using server = await startRedisServer();
  await using hub = await startTestDelivery({ engine: "redis", redisUrl: server.url, retry: [300] });
  await using callback = await startCallbackServer();
  const operator = new Redis(server.url);
  try {
    callback.answerDeliveries({ status: 500, delay: 150 });
    // An origin that fails five times in a row is left alone for a while.
    for (const name of ["a", "b", "c", "d"]) await hub.subscribe(callback.url(`/${name}`));
    await hub.publish(1);
    await waitUntil(() => expect(callback.deliveries).toHaveLength(4));
    callback.answerDeliveries({ status: 204 });
    await operator.call("CLIENT", "PAUSE", "700", "ALL");
    await waitUntil(() => expect(callback.deliveries).toHaveLength(8), longest);
  } finally {
    operator.disconnect();
  }
});

test.each(engineNames)(
  "a wake-up that comes too early, since clocks differ, is followed by one in time, %s engine",
  async (engine) => {
    await using hub = await startTestDelivery({ engine });
    await using callback = await startCallbackServer();
    const { log, ledger, subscriptions, wakeUps } = hub.store;
    await log.append(channel, newNotification("<n1/>"));
    const expiresAt = Date.now() + 3_600_000;
    await subscriptions.activate(newSubscription("early", { callback: callback.url(), expiresAt }), 0);
    const claim = await claimOne(hub.store, "early", Date.now());
    await ledger.defer(claim, failingUntil(Date.now() + 400));
    await wakeUps.wake({ channel, subscription: claim.subscription.id });
    await waitUntil(() => expect(callback.deliveries).toHaveLength(1), longest);
  },
);
