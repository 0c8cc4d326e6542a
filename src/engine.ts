import type { Config } from "./configuration/schema.ts";
import type { DeadLetters } from "./delivery/dead-letters.ts";
import type { DeliveryControl } from "./delivery/delivery-control.ts";
import type { DeliveryLedger, DueTimes } from "./delivery/delivery-ledger.ts";
import type { RecordRings } from "./delivery/record-rings.ts";
import type { WakeUps } from "./delivery/wake-ups.ts";
import type { AnnouncedDocuments } from "./discovery/announced-documents.ts";
import type { ClosedLists } from "./discovery/closed-lists.ts";
import type { NotificationLog } from "./log/notification-log.ts";
import type { Events } from "./observability/events.ts";
import type { ResourceStore } from "./resources/resource-store.ts";
import type { SubscriptionStore } from "./subscriptions/subscription-store.ts";
import type { PendingRows } from "./topics/pending-fetches.ts";
import type { TopicStore } from "./topics/topic-store.ts";
import type { WatchStore } from "./watching/watch-store.ts";

/** What stores, and what wakes: the same ports, for one process on its own or for several on one Redis. */
export interface Engine {
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
  /** After the wake-ups were closed by who started them. */
  close(): Promise<void>;
}

/** Loads only the engine that is used: the embedded one needs no Redis client. `claim`: `delivery.takeOverAfter`. */
export async function openEngine(
  storage: Config["storage"],
  events: Events,
  claim?: number,
): Promise<Engine> {
  if (storage.engine === "embedded") {
    const { openEmbeddedEngine } = await import("./embedded-engine.ts");
    return openEmbeddedEngine({ ...storage, claim }, events);
  }
  const { openRedisEngine } = await import("./redis-engine.ts");
  return openRedisEngine({ ...storage, claim }, events);
}
