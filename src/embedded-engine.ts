import { createEmbeddedDeliveryStores } from "./delivery/embedded-delivery-stores.ts";
import { createTimerWakeUps } from "./delivery/timer-wake-ups.ts";
import { createEmbeddedAnnouncedDocuments } from "./discovery/embedded-announced-documents.ts";
import { createEmbeddedClosedLists } from "./discovery/embedded-closed-lists.ts";
import type { Engine } from "./engine.ts";
import { openEmbeddedEnvironment } from "./log/embedded-environment.ts";
import { createEmbeddedNotificationLog } from "./log/embedded-notification-log.ts";
import type { Events } from "./observability/events.ts";
import { createEmbeddedResourceStore } from "./resources/embedded-resource-store.ts";
import { createEmbeddedSubscriptionStore } from "./subscriptions/embedded-subscription-store.ts";
import { createEmbeddedPendingRows } from "./topics/embedded-pending-rows.ts";
import { createEmbeddedTopicStore } from "./topics/embedded-topic-store.ts";
import { createEmbeddedWatchStore } from "./watching/embedded-watch-store.ts";

/** One process with its data in a directory of its own. Throws `DirectoryInUse`. */
export async function openEmbeddedEngine(
  { data, claim }: { readonly data: string; readonly claim?: number | undefined },
  events: Events,
): Promise<Engine> {
  const environment = await openEmbeddedEnvironment(data);
  const log = createEmbeddedNotificationLog(environment);
  return {
    log,
    subscriptions: createEmbeddedSubscriptionStore(environment),
    ...createEmbeddedDeliveryStores(environment, { claim }),
    wakeUps: createTimerWakeUps({ events }),
    resources: createEmbeddedResourceStore(environment),
    lists: createEmbeddedClosedLists(environment),
    announced: createEmbeddedAnnouncedDocuments(environment),
    topicStore: createEmbeddedTopicStore(environment),
    pendingRows: createEmbeddedPendingRows(environment),
    watches: createEmbeddedWatchStore(environment),
    async close() {
      await log.close();
      await environment.close();
    },
  };
}
