import { createChannels } from "../../src/channels/registry.ts";
import { parseSetId } from "../../src/channels/channel.ts";
import { attemptDelivery } from "../../src/delivery/attempt-delivery.ts";
import { type Delivery, startDelivery } from "../../src/delivery/delivery.ts";
import { recordDeliveries } from "../../src/delivery/record-deliveries.ts";
import { createRetryPolicy } from "../../src/delivery/retry-policy.ts";
import { createEvents } from "../../src/observability/events.ts";
import { silentLogger } from "../../src/observability/logger.ts";
import { createMetrics, type Metrics } from "../../src/observability/metrics.ts";
import { createOutboundHttp } from "../../src/security/outbound-http.ts";
import { subscriptionIdOf } from "../../src/subscriptions/subscription-id.ts";
import type { SubscriptionId } from "../../src/subscriptions/subscription.ts";
import { type EngineName, openEngine, type TestEngine } from "./engines.ts";
import { nothingIsPrivate } from "./may-receive.ts";
import { newNotification, testChannel } from "./new-notification.ts";
import { newSubscription } from "./new-subscription.ts";
import { topicsOfSets } from "./topics-of-sets.ts";

interface TestDeliveryOptions {
  readonly engine?: EngineName;
  /** The suite's Redis, unless another is given. */
  readonly redisUrl?: string | undefined;
  readonly concurrency?: number;
  readonly perOrigin?: number;
  /** Milliseconds. */
  readonly timeout?: number;
  readonly retry?: readonly number[];
  readonly giveUpAfter?: number;
  /** How long claims last. Milliseconds. */
  readonly takeOverAfter?: number;
}

export interface TestDelivery extends AsyncDisposable {
  readonly store: TestEngine;
  readonly delivery: Delivery;
  readonly metrics: Metrics;
  publish(count: number): Promise<void>;
  subscribe(callback: string): Promise<SubscriptionId>;
}

/** Real deliveries from a store of their own to callbacks on loopback, without the rest of a hub. */
export async function startTestDelivery(options: TestDeliveryOptions = {}): Promise<TestDelivery> {
  const { engine = "embedded", concurrency = 128, perOrigin = 32, timeout = 5000 } = options;
  const { retry: schedule = [100], giveUpAfter = 3_600_000, takeOverAfter = 15_000 } = options;
  const [set, channel] = [parseSetId("maps"), testChannel()];
  if (set === undefined) throw new Error("maps is a good id");
  const channels = createChannels({
    baseUrl: "https://hub.example.org",
    sets: [{ id: set, capabilities: {}, profile: "auto", channels: "websub", topics: {} }],
  });
  const metrics = createMetrics();
  const events = createEvents(silentLogger, metrics);
  const { redisUrl } = options;
  const store = await openEngine(engine, {
    claim: takeOverAfter,
    ...(redisUrl === undefined ? {} : { redisUrl }),
  });
  const outbound = createOutboundHttp({ allow: ["127.0.0.0/8"], events, userAgent: "test" });
  const { log, subscriptions, ledger, wakeUps, recordRings: rings } = store;
  const records = recordDeliveries({ rings, max: 100, keep: 3_600_000, events, now: Date.now });
  const delivery = await startDelivery({
    takeOverAfter,
    ...nothingIsPrivate,
    log,
    subscriptions,
    ledger,
    wakeUps,
    concurrency,
    perOrigin,
    events,
    topics: topicsOfSets(channels),
    attempt: attemptDelivery({ outbound, timeout, signatureMethod: "sha256", now: Date.now }),
    retry: createRetryPolicy({ schedule, giveUpAfter, random: Math.random }),
    exhausted: "park",
    deadLetters: 1000,
    records,
    now: Date.now,
  });
  return {
    store,
    delivery,
    metrics,
    async publish(count) {
      for (let n = 0; n < count; n += 1)
        await log.append(channel, newNotification(`<n${crypto.randomUUID()}/>`));
    },
    async subscribe(callback) {
      const { topic } = newSubscription("any");
      const id = subscriptionIdOf(channel, topic, callback);
      const expiresAt = Date.now() + 3_600_000;
      await subscriptions.activate(newSubscription("any", { id, callback, expiresAt }), 0);
      await wakeUps.wake({ channel, subscription: id });
      return id;
    },
    async [Symbol.asyncDispose]() {
      await delivery.close(AbortSignal.abort());
      await outbound.close();
      await store[Symbol.asyncDispose]();
    },
  };
}
