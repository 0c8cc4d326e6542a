import { z } from "zod";
import type { ChannelId } from "../channels/channel.ts";
import { channelRows, unusedChannel } from "../log/embedded-channel-rows.ts";
import { type Changing, type EmbeddedEnvironment, keysBelow } from "../log/embedded-environment.ts";
import { embeddedProgressTables } from "../subscriptions/embedded-subscription-store.ts";
import { storedSubscription } from "../subscriptions/stored-subscription.ts";
import { parseSubscriptionId } from "../subscriptions/subscription-id.ts";
import type { Subscription, SubscriptionId } from "../subscriptions/subscription.ts";
import type { Rewound } from "./delivery-control.ts";
import type { Advance, Failing, Paused, Progress } from "./delivery-ledger.ts";
import type { EmbeddedLetters } from "./embedded-letters.ts";
import { exhaustedPause, storedFailing, storedPause } from "./stored-progress.ts";

/** An earlier version only said whether delivery was paused. */
const failureRow = z
  .object({ paused: z.union([z.boolean(), storedPause]).optional(), failing: storedFailing.optional() })
  .transform(({ paused, failing }): FailureRow => {
    if (typeof paused === "object") return { paused, failing };
    return { paused: paused === true ? exhaustedPause(failing) : undefined, failing };
  });

interface FailureRow {
  readonly paused: Paused | undefined;
  readonly failing: Failing | undefined;
}

export interface Unread {
  readonly id: SubscriptionId;
  readonly progress: Progress;
  /** Whether dead letters are marked to be sent again. */
  readonly resends: boolean;
}

/**
 * Whether delivery may go on now: a failure waits for its next attempt. One that is still to come by this clock was noted before the
 * clock was put back; it would wait for as long as the clock jumped.
 */
export function isDue({ failing }: Progress, now: number): boolean {
  return failing === undefined || failing.nextAttemptAt <= now || failing.last.at > now;
}

/** What LMDB keeps of deliveries, without regard to claims. */
export function embeddedProgress(environment: EmbeddedEnvironment, letters: EmbeddedLetters) {
  const channels = channelRows(environment);
  const subscriptions = environment.table("subscriptions", storedSubscription);
  const tables = embeddedProgressTables(environment);
  const { cursors } = tables;
  const failures = environment.table(tables.failures, failureRow);

  const find = (channel: ChannelId, id: SubscriptionId): Progress | undefined => {
    const cursor = cursors.get([channel, id]);
    if (cursor === undefined) return undefined;
    const failure = failures.get([channel, id]);
    return { cursor, failing: failure?.failing, paused: failure?.paused };
  };

  return {
    find,
    subscription: (channel: ChannelId, id: SubscriptionId): Subscription | undefined =>
      subscriptions.get([channel, id]),
    /** Read from the rows that are quickest to check: every wake-up of the channel asks. */
    ids: (channel: ChannelId): SubscriptionId[] =>
      [...cursors.range(keysBelow(channel))].flatMap(({ key }) => parseSubscriptionId(String(key[1])) ?? []),
    /** Those of `ids` that have work to do and are not paused. */
    unread(channel: ChannelId, ids: readonly SubscriptionId[]): Unread[] {
      const newest = channels.get([channel])?.newest ?? 0;
      const isMarked = letters.whoseAreMarked(channel);
      return ids.flatMap((id) => {
        const progress = find(channel, id);
        if (progress === undefined || progress.paused !== undefined) return [];
        const resends = isMarked(id);
        return resends || progress.cursor < newest ? [{ id, progress, resends }] : [];
      });
    },
    /** `false` where the cursor does not stand at `from`, or the subscription is paused. */
    move(changing: Changing, { claim: { subscription }, from, to }: Advance): boolean {
      const key = [subscription.channel, subscription.id];
      if (to <= from || cursors.within(changing).get(key) !== from) return false;
      const before = failures.within(changing).get(key);
      // It was claimed by what the disk said while the pause was on its way there.
      if (before?.paused !== undefined) return false;
      cursors.within(changing).put(key, to);
      if (before !== undefined) failures.within(changing).remove(key);
      return true;
    },
    /** `false` where the subscription has ended or is paused. */
    fail(changing: Changing, subscription: Subscription, failure: FailureRow): boolean {
      const key = [subscription.channel, subscription.id];
      const rows = failures.within(changing);
      if (cursors.within(changing).get(key) === undefined || rows.get(key)?.paused !== undefined)
        return false;
      rows.put(key, failure);
      return true;
    },
    /** `false` where there is no such subscription. */
    pauseByOperator(changing: Changing, channel: ChannelId, id: SubscriptionId, paused: Paused): boolean {
      if (cursors.within(changing).get([channel, id]) === undefined) return false;
      const rows = failures.within(changing);
      rows.put([channel, id], { paused, failing: rows.get([channel, id])?.failing });
      return true;
    },
    /** `false` where it was not paused. Its schedule of attempts begins anew. */
    resume(changing: Changing, channel: ChannelId, id: SubscriptionId): boolean {
      const rows = failures.within(changing);
      if (rows.get([channel, id])?.paused === undefined) return false;
      rows.remove([channel, id]);
      return true;
    },
    /** `false` where nothing is waited for, or it is paused. */
    hasten(changing: Changing, channel: ChannelId, id: SubscriptionId): boolean {
      const rows = failures.within(changing);
      const failure = rows.get([channel, id]);
      if (failure === undefined || failure.paused !== undefined) return false;
      rows.remove([channel, id]);
      return true;
    },
    rewind(changing: Changing, channel: ChannelId, id: SubscriptionId, to: number): Rewound {
      const key = [channel, id];
      if (cursors.within(changing).get(key) === undefined) return "no-subscription";
      const { oldest, newest } = channels.within(changing).get([channel]) ?? unusedChannel;
      if (to < oldest - 1 || to > newest) return "outside-log";
      cursors.within(changing).put(key, to);
      const rows = failures.within(changing);
      const paused = rows.get(key)?.paused;
      if (paused?.because === "operator") rows.put(key, { paused, failing: undefined });
      else rows.remove(key);
      return "rewound";
    },
  };
}

export type EmbeddedProgress = ReturnType<typeof embeddedProgress>;
