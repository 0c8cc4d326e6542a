import type { Topics } from "../channels/topic.ts";
import { reportFault } from "../log/report-fault.ts";
import type { Events } from "../observability/events.ts";
import { type PeriodicTask, startPeriodicTask } from "../observability/periodic-task.ts";
import type { DeliveryLedger } from "./delivery-ledger.ts";
import type { WakeUps } from "./wake-ups.ts";

interface Parts {
  readonly topics: Pick<Topics, "all">;
  readonly ledger: Pick<DeliveryLedger, "backlog">;
  readonly wakeUps: Pick<WakeUps, "wake" | "wakeAt">;
  readonly events: Pick<Events, "storageUnavailable" | "unexpected">;
  readonly now: () => number;
}

const everyMilliseconds = 10_000;

/**
 * Finds what a wake-up was lost for: subscriptions that are behind and due while nobody delivers to them. It closes every hole
 * that a crash between two steps can leave.
 */
export function startReconciler({ topics, ledger, wakeUps, events, now }: Parts): PeriodicTask {
  let firstRound = true;

  const round = async (): Promise<void> => {
    for (const { id: channel } of await topics.all()) {
      const { due, waiting } = await ledger.backlog(channel, now());
      if (due.length > 0) await wakeUps.wake({ channel, subscription: undefined });
      // Later ones become due by themselves; only timers that died with a process must be set again.
      if (firstRound)
        for (const { id, at } of waiting) await wakeUps.wakeAt({ channel, subscription: id }, at);
    }
    firstRound = false;
  };
  return startPeriodicTask(everyMilliseconds, round, reportFault(events, "reconciler"));
}
