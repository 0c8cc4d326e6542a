import { parseSetId } from "../../src/channels/channel.ts";
import { createChannels } from "../../src/channels/registry.ts";
import { attemptDelivery } from "../../src/delivery/attempt-delivery.ts";
import { startDelivery } from "../../src/delivery/delivery.ts";
import { recordDeliveries } from "../../src/delivery/record-deliveries.ts";
import type { RetryPolicy } from "../../src/delivery/retry-policy.ts";
import { createEvents } from "../../src/observability/events.ts";
import { silentLogger } from "../../src/observability/logger.ts";
import { createMetrics } from "../../src/observability/metrics.ts";
import { createOutboundHttp } from "../../src/security/outbound-http.ts";
import type { Subscription } from "../../src/subscriptions/subscription.ts";
import { type CallbackServer, startCallbackServer } from "./callback-server.ts";
import { type EngineName, openEngine } from "./engines.ts";
import { nothingIsPrivate } from "./may-receive.ts";
import { newNotification, testChannel } from "./new-notification.ts";
import { newSubscription } from "./new-subscription.ts";
import { topicsOfSets } from "./topics-of-sets.ts";

interface TestDeliveryOptions {
  readonly retry?: RetryPolicy;
  readonly exhausted?: "park" | "pause";
  readonly deadLetters?: number;
  /** Requests to one server at the same time. */
  readonly perOrigin?: number;
}

const channel = testChannel();
const set = {
  id: parseSetId("maps")!,
  capabilities: {},
  profile: "auto",
  channels: "websub",
  topics: {},
} as const;

/** A delivery over a store of its own, to one callback that a test steers; what fails is given up at once. */
export async function startTestDelivery(engine: EngineName, options: TestDeliveryOptions = {}) {
  const { retry = () => "give-up", exhausted = "park", deadLetters = 1000, perOrigin = 8 } = options;
  const store = await openEngine(engine);
  const callback: CallbackServer = await startCallbackServer();
  const metrics = createMetrics();
  const events = createEvents(silentLogger, metrics);
  const outbound = createOutboundHttp({ allow: ["127.0.0.1"], events, userAgent: "hub/test" });
  const records = recordDeliveries({
    rings: store.recordRings,
    max: 100,
    keep: 3_600_000,
    events,
    now: Date.now,
  });
  const delivery = await startDelivery({
    takeOverAfter: 15_000,
    ...nothingIsPrivate,
    ...store,
    topics: topicsOfSets(createChannels({ baseUrl: "https://hub.example.org", sets: [set] })),
    attempt: attemptDelivery({ outbound, timeout: 2000, signatureMethod: "sha256", now: Date.now }),
    retry,
    exhausted,
    deadLetters,
    records,
    concurrency: 8,
    perOrigin,
    events,
    now: Date.now,
  });
  /** At the same server; it has nothing yet. */
  const subscribe = async (name: string, target: string): Promise<Subscription> => {
    const lease = { callback: callback.url(target), expiresAt: Date.now() + 600_000 };
    const subscription = newSubscription(name, lease);
    await store.subscriptions.activate(subscription, 0);
    return subscription;
  };
  const subscription = await subscribe("a", "/hook");

  return {
    ...store,
    callback,
    records,
    id: subscription.id,
    subscription,
    subscribe,
    publish: async (...documents: string[]): Promise<void> => {
      for (const document of documents) await store.log.append(channel, newNotification(document));
    },
    received: (): string[] => callback.deliveries.map(({ body }) => body.toString()),
    progress: () => store.ledger.progress(channel, subscription.id),
    letters: () => store.deadLetters.page(channel, subscription.id, { after: 0, limit: 100 }),
    /** Subscriptions that wait for a slot at the server. */
    waitingFor: (): number => delivery.origin(callback.origin)?.waiting ?? 0,
    wake: () => store.wakeUps.wake({ channel, subscription: subscription.id }),
    [Symbol.asyncDispose]: async () => {
      await delivery.close(AbortSignal.timeout(1000));
      await callback[Symbol.asyncDispose]();
      await outbound.close();
      await store[Symbol.asyncDispose]();
    },
  };
}
