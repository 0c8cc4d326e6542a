import { createChannels } from "../src/channels/registry.ts";
import { parseSetId } from "../src/channels/channel.ts";
import { attemptDelivery } from "../src/delivery/attempt-delivery.ts";
import { startDelivery } from "../src/delivery/delivery.ts";
import { recordDeliveries } from "../src/delivery/record-deliveries.ts";
import { createRetryPolicy } from "../src/delivery/retry-policy.ts";
import { openEngine } from "../src/engine.ts";
import { createEvents } from "../src/observability/events.ts";
import { silentLogger } from "../src/observability/logger.ts";
import { createMetrics } from "../src/observability/metrics.ts";
import { sha256Hex } from "../src/protocol/hash.ts";
import { createOutboundHttp } from "../src/security/outbound-http.ts";
import { subscriptionIdOf } from "../src/subscriptions/subscription-id.ts";
import { topicsOfSets } from "../test/support/topics-of-sets.ts";

type Attempt = ReturnType<typeof attemptDelivery>;

interface DeliveringOptions {
  /** Where the embedded engine keeps its files. */
  readonly directory: string;
  readonly redis: string | undefined;
  /** Milliseconds after each failure. */
  readonly retry: readonly number[];
  /** Takes the place of the request, where a bench wants none. */
  readonly attemptOf?: (real: Attempt) => Attempt;
}

const set = parseSetId("bench");
if (set === undefined) throw new Error("bench is a good id");
const channels = createChannels({
  baseUrl: "http://127.0.0.1:1",
  sets: [{ id: set, capabilities: {}, profile: "auto", channels: "websub", topics: {} }],
});
const [channel] = channels.all;
if (channel === undefined) throw new Error("a set has channels");
const { id, topic } = channel;

/** A log and deliveries from it, with the defaults of a hub. */
export async function startDelivering({ directory, redis, retry, attemptOf }: DeliveringOptions) {
  const events = createEvents(silentLogger, createMetrics());
  const storage =
    redis === undefined
      ? { engine: "embedded" as const, data: directory }
      : { engine: "redis" as const, data: directory, url: redis, prefix: `bench${crypto.randomUUID()}` };
  const engine = await openEngine(storage, events);
  const outbound = createOutboundHttp({ allow: ["127.0.0.0/8"], events, userAgent: "bench" });
  const real = attemptDelivery({ outbound, timeout: 10_000, signatureMethod: "sha256", now: Date.now });
  const rings = engine.recordRings;
  const records = recordDeliveries({ rings, max: 10_000, keep: 604_800_000, events, now: Date.now });
  const delivery = await startDelivery({
    takeOverAfter: 15_000,
    mayReceive: () => true,
    withdraw: async () => false,
    ...engine,
    topics: topicsOfSets(channels),
    attempt: attemptOf?.(real) ?? real,
    retry: createRetryPolicy({ schedule: retry, giveUpAfter: 72 * 3_600_000, random: Math.random }),
    exhausted: "park",
    deadLetters: 10_000,
    records,
    concurrency: 128,
    perOrigin: 32,
    events,
    now: Date.now,
  });
  return {
    delivery,
    progress: (callback: string) => engine.ledger.progress(id, subscriptionIdOf(id, topic, callback)),
    async subscribe(callback: string): Promise<void> {
      const subscription = {
        id: subscriptionIdOf(id, topic, callback),
        channel: id,
        topic,
        callback,
        secret: undefined,
        previousSecret: undefined,
        exhausted: undefined,
        authority: undefined,
        leaseSeconds: 86_400,
        expiresAt: Date.now() + 86_400_000,
        createdAt: Date.now(),
      };
      await engine.subscriptions.activate(subscription, 0);
    },
    async publish(payload: Buffer): Promise<void> {
      await engine.log.append(id, {
        payload,
        contentType: "application/xml",
        digest: sha256Hex(payload),
        interval: undefined,
        receipt: "",
        idempotencyKey: undefined,
        repeatWindow: 1,
        refuseOverlap: false,
      });
    },
    async close(): Promise<void> {
      await delivery.close(AbortSignal.timeout(100));
      await outbound.close();
      await engine.close();
    },
  };
}
