import type { ChannelId } from "../channels/channel.ts";
import type { Topics } from "../channels/topic.ts";
import type { Events } from "../observability/events.ts";
import { originOf } from "../protocol/http-url.ts";
import type { SubscriptionStore } from "./subscription-store.ts";
import { type IntentRequest, leaseHasEnded } from "./subscription.ts";
import { untouchedMilliseconds } from "./verify-intent.ts";

interface Parts {
  readonly topics: Pick<Topics, "all">;
  readonly store: Pick<SubscriptionStore, "list" | "find" | "end" | "takeOverdue">;
  /** Verifies a request, of one pair in the order of the calls. Never rejects. */
  readonly takeUp: (request: IntentRequest) => Promise<void>;
  /** Ends subscriptions that nobody's right covers any more. */
  readonly withdrawAll: () => Promise<void>;
  readonly events: Pick<Events, "leaseEnded">;
  readonly now: () => number;
}

/** Requests of a process that is gone, taken up in one round. */
const maxOverdue = 100;

/**
 * One round of what time does to subscriptions: ends leases that ran out (WebSub §5.3.1), takes up requests whose
 * verification died with its process, and ends what another process, that knew less of tokens, let begin. Throws
 * `StorageUnavailable`; the next round does what this one left.
 */
export function sweepSubscriptions({
  topics,
  store,
  takeUp,
  withdrawAll,
  events,
  now,
}: Parts): () => Promise<void> {
  return async () => {
    await withdrawAll();
    for (const { id } of await topics.all()) await endLeases(id);
    await verifyOverdue();
  };

  async function endLeases(channel: ChannelId): Promise<void> {
    for (const { id, callback } of (await store.list(channel)).filter((one) => leaseHasEnded(one, now()))) {
      // It may have been renewed since the list was read.
      const current = await store.find(channel, id);
      if (current === undefined || !leaseHasEnded(current, now())) continue;
      if (!(await store.end(channel, id))) continue;
      events.leaseEnded({ channel, subscription: id, callbackOrigin: originOf(callback) });
    }
  }

  async function verifyOverdue(): Promise<void> {
    const overdue = await store.takeOverdue(now(), now() + untouchedMilliseconds, maxOverdue);
    await Promise.all(overdue.toSorted((a, b) => a.askedAt - b.askedAt).map(takeUp));
  }
}
