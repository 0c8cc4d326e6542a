import type { ChannelId } from "./channels/channel.ts";
import type { Topics } from "./channels/topic.ts";
import type { NotificationLog } from "./log/notification-log.ts";
import { reportFault } from "./log/report-fault.ts";
import { trimByRetention } from "./log/retention.ts";
import type { Events } from "./observability/events.ts";
import { startPeriodicTask } from "./observability/periodic-task.ts";
import type { SubscriptionStore } from "./subscriptions/subscription-store.ts";
import type { SubscriptionRequests } from "./subscriptions/subscriptions.ts";
import { sweepSubscriptions } from "./subscriptions/sweep.ts";

interface Parts {
  readonly topics: Pick<Topics, "all">;
  readonly log: NotificationLog;
  readonly subscriptions: SubscriptionStore;
  readonly takeUp: SubscriptionRequests["takeUp"];
  readonly withdrawAll: SubscriptionRequests["withdrawAll"];
  readonly events: Events;
  /** Milliseconds, and notifications of a channel. */
  readonly retention: { readonly keep: number; readonly max: number };
  /** Called before the log lets go of the notifications up to `sequence`; where it throws, the log keeps them. */
  readonly beforeTrim: (channel: ChannelId, sequence: number) => Promise<void>;
  readonly now: () => number;
}

const sweepEvery = 30_000;
const trimEvery = 60_000;

/** What time asks for: leases end, verifications of a process that died are taken up, retention trims the log. */
export function startUpkeep(parts: Parts) {
  const { topics, log, subscriptions, events, retention, beforeTrim, now } = parts;
  const sweep = sweepSubscriptions({ ...parts, store: subscriptions });
  const limits = { keepMilliseconds: retention.keep, maxNotifications: retention.max };

  const trim = async (): Promise<void> => {
    for (const { id: channel } of await topics.all()) {
      const notifications = await trimByRetention(log, channel, limits, now(), beforeTrim);
      if (notifications > 0) events.trimmed({ channel, notifications });
    }
  };
  const tasks = [
    startPeriodicTask(sweepEvery, sweep, reportFault(events, "sweep")),
    startPeriodicTask(trimEvery, trim, reportFault(events, "retention")),
  ];
  return {
    async close(): Promise<void> {
      await Promise.all(tasks.map((task) => task.close()));
    },
  };
}
