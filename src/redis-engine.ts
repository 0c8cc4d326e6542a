import { createBullmqWakeUps } from "./delivery/bullmq-wake-ups.ts";
import { createRedisDeliveryStores } from "./delivery/redis-delivery-stores.ts";
import { createRedisAnnouncedDocuments } from "./discovery/redis-announced-documents.ts";
import { createRedisClosedLists } from "./discovery/redis-closed-lists.ts";
import type { Engine } from "./engine.ts";
import { connectRedis } from "./log/redis-connection.ts";
import { createRedisNotificationLog } from "./log/redis-notification-log.ts";
import type { Events } from "./observability/events.ts";
import { createRedisResourceStore } from "./resources/redis-resource-store.ts";
import { createRedisSubscriptionStore } from "./subscriptions/redis-subscription-store.ts";
import { createRedisPendingRows } from "./topics/redis-pending-rows.ts";
import { createRedisTopicStore } from "./topics/redis-topic-store.ts";
import { createRedisWatchStore } from "./watching/redis-watch-store.ts";

interface RedisStorage {
  readonly url: string;
  /** Every key begins with it, so that several hubs can share one Redis. */
  readonly prefix: string;
  /** How long a claim of a subscription holds that nobody keeps. Milliseconds. */
  readonly claim?: number | undefined;
}

/** Wake-ups that one process handles at a time; each only claims and starts. */
const wakeUpsAtOnce = 8;

/** One of several processes on one Redis. */
export async function openRedisEngine({ url, prefix, claim }: RedisStorage, events: Events): Promise<Engine> {
  const connection = await connectRedis(url, { events });
  const log = createRedisNotificationLog(connection, { prefix });
  return {
    log,
    subscriptions: createRedisSubscriptionStore(connection, { prefix }),
    ...createRedisDeliveryStores(connection, { prefix, claim }),
    wakeUps: createBullmqWakeUps({ url, prefix, events, concurrency: wakeUpsAtOnce, now: Date.now }),
    resources: createRedisResourceStore(connection, { prefix }),
    lists: createRedisClosedLists(connection, { prefix }),
    announced: createRedisAnnouncedDocuments(connection, { prefix }),
    topicStore: createRedisTopicStore(connection, { prefix }),
    pendingRows: createRedisPendingRows(connection, { prefix }),
    watches: createRedisWatchStore(connection, { prefix }),
    async close() {
      await log.close();
      await connection.close();
    },
  };
}
