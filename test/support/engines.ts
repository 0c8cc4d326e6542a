import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import { createBullmqWakeUps } from "../../src/delivery/bullmq-wake-ups.ts";
import type { DeadLetters } from "../../src/delivery/dead-letters.ts";
import type { DeliveryControl } from "../../src/delivery/delivery-control.ts";
import type { DeliveryLedger, DueTimes } from "../../src/delivery/delivery-ledger.ts";
import { createEmbeddedDeliveryStores } from "../../src/delivery/embedded-delivery-stores.ts";
import { createRedisDeliveryStores } from "../../src/delivery/redis-delivery-stores.ts";
import type { RecordRings } from "../../src/delivery/record-rings.ts";
import { createTimerWakeUps } from "../../src/delivery/timer-wake-ups.ts";
import type { WakeUps } from "../../src/delivery/wake-ups.ts";
import { createEmbeddedAnnouncedDocuments } from "../../src/discovery/embedded-announced-documents.ts";
import { createEmbeddedClosedLists } from "../../src/discovery/embedded-closed-lists.ts";
import { openEmbeddedEnvironment } from "../../src/log/embedded-environment.ts";
import { createEmbeddedNotificationLog } from "../../src/log/embedded-notification-log.ts";
import type { AnnouncedDocuments } from "../../src/discovery/announced-documents.ts";
import type { ClosedLists } from "../../src/discovery/closed-lists.ts";
import type { NotificationLog } from "../../src/log/notification-log.ts";
import { createRedisAnnouncedDocuments } from "../../src/discovery/redis-announced-documents.ts";
import { createRedisClosedLists } from "../../src/discovery/redis-closed-lists.ts";
import { connectRedis } from "../../src/log/redis-connection.ts";
import { createRedisNotificationLog } from "../../src/log/redis-notification-log.ts";
import { createEvents } from "../../src/observability/events.ts";
import { silentLogger } from "../../src/observability/logger.ts";
import { createMetrics } from "../../src/observability/metrics.ts";
import { createEmbeddedResourceStore } from "../../src/resources/embedded-resource-store.ts";
import { createRedisResourceStore } from "../../src/resources/redis-resource-store.ts";
import type { ResourceStore } from "../../src/resources/resource-store.ts";
import { createEmbeddedSubscriptionStore } from "../../src/subscriptions/embedded-subscription-store.ts";
import { createEmbeddedPendingRows } from "../../src/topics/embedded-pending-rows.ts";
import { createEmbeddedTopicStore } from "../../src/topics/embedded-topic-store.ts";
import { createRedisSubscriptionStore } from "../../src/subscriptions/redis-subscription-store.ts";
import { createRedisPendingRows } from "../../src/topics/redis-pending-rows.ts";
import { createRedisTopicStore } from "../../src/topics/redis-topic-store.ts";
import type { SubscriptionStore } from "../../src/subscriptions/subscription-store.ts";
import type { PendingRows } from "../../src/topics/pending-fetches.ts";
import type { TopicStore } from "../../src/topics/topic-store.ts";
import { createEmbeddedWatchStore } from "../../src/watching/embedded-watch-store.ts";
import { createRedisWatchStore } from "../../src/watching/redis-watch-store.ts";
import type { WatchStore } from "../../src/watching/watch-store.ts";

export type EngineName = "embedded" | "redis";

export const engineNames: readonly EngineName[] = ["embedded", "redis"];

export interface TestEngine extends AsyncDisposable {
  readonly log: NotificationLog;
  readonly subscriptions: SubscriptionStore;
  readonly ledger: DeliveryLedger & DueTimes;
  readonly control: DeliveryControl;
  readonly deadLetters: DeadLetters;
  readonly recordRings: RecordRings;
  readonly wakeUps: WakeUps;
  readonly resources: ResourceStore;
  readonly lists: ClosedLists;
  readonly announced: AnnouncedDocuments;
  readonly topicStore: TopicStore;
  readonly pendingRows: PendingRows;
  readonly watches: WatchStore;
  /** Where the embedded engine keeps its files. */
  readonly directory: string;
  /** With which the Redis engine's keys begin. */
  readonly prefix: string;
  readonly redisUrl: string;
  /** A second process on the same store, where the engine allows one; else the same store opened anew. */
  reopen(): Promise<TestEngine>;
}

export interface TestEngineOptions {
  readonly now?: () => number;
  /** Where to open the embedded engine; removed at the end unless it was given. */
  readonly directory?: string;
  /** The suite's Redis, unless another is given. */
  readonly redisUrl?: string;
  readonly prefix?: string;
  /** How long claims of deliveries last. Milliseconds. */
  readonly claim?: number | undefined;
}

export const silentEvents = createEvents(silentLogger, createMetrics());

/** A store of its own, real and disposable: LMDB in a directory, or Redis under a key prefix. */
export async function openEngine(name: EngineName, options: TestEngineOptions = {}): Promise<TestEngine> {
  return name === "embedded" ? await openEmbedded(options) : await openRedis(options);
}

const deliveryOptionsOf = ({ now, claim }: TestEngineOptions) => ({
  claim,
  ...(now === undefined ? {} : { now }),
});

async function openEmbedded(options: TestEngineOptions): Promise<TestEngine> {
  const { now = Date.now } = options;
  const directory = options.directory ?? (await mkdtemp(join(tmpdir(), "hub-engine-")));
  const environment = await openEmbeddedEnvironment(directory);
  const log = createEmbeddedNotificationLog(environment, { now });
  const wakeUps = createTimerWakeUps({ events: silentEvents });
  const close = async (): Promise<void> => {
    await wakeUps.close();
    await log.close();
    await environment.close();
  };
  return {
    log,
    subscriptions: createEmbeddedSubscriptionStore(environment),
    ...createEmbeddedDeliveryStores(environment, deliveryOptionsOf(options)),
    wakeUps,
    resources: createEmbeddedResourceStore(environment),
    lists: createEmbeddedClosedLists(environment),
    announced: createEmbeddedAnnouncedDocuments(environment),
    topicStore: createEmbeddedTopicStore(environment),
    pendingRows: createEmbeddedPendingRows(environment),
    watches: createEmbeddedWatchStore(environment),
    directory,
    prefix: "",
    redisUrl: "",
    async reopen() {
      await close();
      return await openEmbedded({ ...options, directory });
    },
    async [Symbol.asyncDispose]() {
      await close();
      if (options.directory === undefined) await rm(directory, { recursive: true, force: true });
    },
  };
}

async function openRedis(options: TestEngineOptions): Promise<TestEngine> {
  const { now = Date.now } = options;
  const url = options.redisUrl ?? inject("redisUrl");
  const prefix = options.prefix ?? `t${crypto.randomUUID().slice(0, 8)}`;
  const connection = await connectRedis(url, { events: silentEvents });
  const log = createRedisNotificationLog(connection, { prefix, now });
  const wakeUps = createBullmqWakeUps({ url, prefix, events: silentEvents, concurrency: 8 });
  return {
    log,
    subscriptions: createRedisSubscriptionStore(connection, { prefix }),
    ...createRedisDeliveryStores(connection, { prefix, ...deliveryOptionsOf(options) }),
    wakeUps,
    resources: createRedisResourceStore(connection, { prefix }),
    lists: createRedisClosedLists(connection, { prefix }),
    announced: createRedisAnnouncedDocuments(connection, { prefix }),
    topicStore: createRedisTopicStore(connection, { prefix }),
    pendingRows: createRedisPendingRows(connection, { prefix }),
    watches: createRedisWatchStore(connection, { prefix }),
    directory: "",
    prefix,
    redisUrl: url,
    reopen: () => openRedis({ ...options, prefix }),
    async [Symbol.asyncDispose]() {
      await wakeUps.close();
      await log.close();
      await connection.close();
    },
  };
}
