import type { ChannelId } from "../channels/channel.ts";
import type { Topics } from "../channels/topic.ts";
import { reportFault } from "../log/report-fault.ts";
import type { Events } from "../observability/events.ts";
import { type PeriodicTask, startPeriodicTask } from "../observability/periodic-task.ts";
import type { SubscriptionId } from "../subscriptions/subscription.ts";
import type { DeliveryLedger } from "./delivery-ledger.ts";
import type { WakeUps } from "./wake-ups.ts";

interface Parts {
  readonly topics: Pick<Topics, "all">;
  readonly ledger: Pick<DeliveryLedger, "backlog">;
  readonly wakeUps: Pick<WakeUps, "wake" | "wakeAt">;
  readonly events: Pick<Events, "storageUnavailable" | "unexpected">;
  readonly takeOverAfter: number;
  readonly now: () => number;
}

/** Rounds are as far apart at most, and closer where others take over sooner. */
const everyMilliseconds = 10_000;

/**
 * What is due later than this needs no wake-up of its own, which would cost the store more than the subscription's cursor: a
 * round finds it, at most one round late. Milliseconds.
 */
const soon = 2 * everyMilliseconds;

/** Wakes a subscription when it is due, where that is before a round would find it. */
export async function wakeWhenDue(
  { wakeUps, now }: { readonly wakeUps: Pick<WakeUps, "wakeAt">; readonly now: () => number },
  channel: ChannelId,
  subscription: SubscriptionId,
  at: number,
): Promise<void> {
  if (at - now() <= soon) await wakeUps.wakeAt({ channel, subscription }, at);
}

/**
 * Finds what a wake-up was lost for: subscriptions that are behind and due while nobody delivers to them. It closes every hole
 * that a crash between two steps can leave.
 */
export function startReconciler(parts: Parts): PeriodicTask {
  const { topics, ledger, wakeUps, events, takeOverAfter, now } = parts;
  const every = Math.min(everyMilliseconds, (takeOverAfter * 2) / 3);
  let firstRound = true;

  const round = async (): Promise<void> => {
    for (const { id: channel } of await topics.all()) {
      const { due, waiting } = await ledger.backlog(channel, now());
      if (due.length > 0) await wakeUps.wake({ channel, subscription: undefined });
      // Only timers that died with a process must be set again.
      if (firstRound) for (const { id, at } of waiting) await wakeWhenDue({ wakeUps, now }, channel, id, at);
    }
    firstRound = false;
  };
  return startPeriodicTask(every, round, reportFault(events, "reconciler"));
}
