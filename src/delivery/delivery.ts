import type { ChannelId } from "../channels/channel.ts";
import type { SubscriptionId } from "../subscriptions/subscription.ts";
import { claimedDeliveries, type DeliveryParts } from "./claimed-deliveries.ts";
import type { OriginView } from "./origins/known-origins.ts";
import { startReconciler, wakeWhenDue } from "./reconcile.ts";
import type { WakeUp } from "./wake-ups.ts";

export interface Delivery {
  /** The servers that this process has called lately. State of this process alone. */
  origins(): readonly OriginView[];
  /** One of them. */
  origin(origin: string): OriginView | undefined;
  /** Begins no more deliveries, lets running ones finish until `deadline` calls them off, gives every claim back. */
  close(deadline: AbortSignal): Promise<void>;
}

/** How many subscriptions of a channel are claimed at a time. */
const laneLength = 300;

/** Until a subscription is woken again that was woken for nothing. Milliseconds. */
const shortestWait = 50;

/**
 * Delivers the log to the callbacks. A wake-up only claims what is behind and starts it; each subscription then goes at its
 * own pace under its claim, so none waits for another.
 */
export async function startDelivery(parts: DeliveryParts): Promise<Delivery> {
  const { topics, log, ledger, wakeUps, now } = parts;
  const stopping = new AbortController();
  const deliveries = claimedDeliveries(parts, stopping.signal);

  async function handle({ channel: id, subscription }: WakeUp): Promise<void> {
    const topic = await topics.byId(id);
    if (topic === undefined || stopping.signal.aborted) return;
    const ids = subscription === undefined ? await ledger.ids(id) : [subscription];
    for (let at = 0; at < ids.length; at += laneLength) {
      await deliveries.start(topic, ids.slice(at, at + laneLength));
    }
    if (subscription !== undefined && !deliveries.isRunning(id, subscription))
      await wakeInTime(id, subscription);
  }

  /** The clock by which a wake-up came may be ahead of the one by which a retry waits; the wake-up is used up all the same. */
  async function wakeInTime(channel: ChannelId, subscription: SubscriptionId): Promise<void> {
    const remaining = await ledger.dueIn(channel, subscription, now());
    if (remaining === undefined) return;
    // Whatever keeps it from being claimed, it must not be woken in one turn after the other.
    await wakeWhenDue(parts, channel, subscription, now() + Math.max(remaining, shortestWait));
  }

  await wakeUps.start(handle);
  const unfollow = log.onAppend(({ channel, local }) => {
    // The process that appended wakes for all; where it dies before that, the reconciler does.
    if (local) void wakeUps.wake({ channel, subscription: undefined });
  });
  const reconciler = startReconciler(parts);

  return {
    origins: () => deliveries.origins(),
    origin: (origin) => deliveries.origin(origin),
    async close(deadline) {
      stopping.abort();
      unfollow();
      await reconciler.close();
      await wakeUps.close();
      await deliveries.close(deadline);
      await parts.records.close();
    },
  };
}
