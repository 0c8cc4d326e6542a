import { z } from "zod";
import type { ChannelId } from "../channels/channel.ts";
import { channelRows } from "../log/embedded-channel-rows.ts";
import { type Changing, type EmbeddedEnvironment, keysBelow } from "../log/embedded-environment.ts";
import { embeddedProgressTables } from "../subscriptions/embedded-subscription-store.ts";
import { storedSubscription } from "../subscriptions/stored-subscription.ts";
import type { Subscription, SubscriptionId } from "../subscriptions/subscription.ts";
import type { Advance, DeadLetter, Failing, Progress } from "./delivery-ledger.ts";
import { storedDeadLetter, storedFailing } from "./stored-progress.ts";

const failureRow = z.object({ paused: z.boolean(), failing: storedFailing });

export interface Unread {
  readonly id: SubscriptionId;
  readonly progress: Progress;
}

/** Whether delivery may go on now: a failure waits for its next attempt. */
export function isDue({ failing }: Progress, now: number): boolean {
  return failing === undefined || failing.nextAttemptAt <= now;
}

/** What LMDB keeps of deliveries, without regard to claims. */
export function embeddedProgress(environment: EmbeddedEnvironment) {
  const channels = channelRows(environment);
  const subscriptions = environment.table("subscriptions", storedSubscription);
  const tables = embeddedProgressTables(environment);
  const { cursors } = tables;
  const failures = environment.table(tables.failures, failureRow);
  const deadLetters = environment.table(tables.deadLetters, storedDeadLetter);

  const find = (channel: ChannelId, id: SubscriptionId): Progress | undefined => {
    const cursor = cursors.get([channel, id]);
    if (cursor === undefined) return undefined;
    const failure = failures.get([channel, id]);
    return { cursor, failing: failure?.failing, paused: failure?.paused ?? false };
  };

  return {
    find,
    subscription: (channel: ChannelId, id: SubscriptionId): Subscription | undefined =>
      subscriptions.get([channel, id]),
    ids: (channel: ChannelId): SubscriptionId[] =>
      [...subscriptions.range(keysBelow(channel))].map(({ row }) => row.id),
    /** Those of `ids` that have unread notifications and are not paused. */
    unread(channel: ChannelId, ids: readonly SubscriptionId[]): Unread[] {
      const newest = channels.get([channel])?.newest ?? 0;
      return ids.flatMap((id) => {
        const progress = find(channel, id);
        return progress === undefined || progress.paused || progress.cursor >= newest
          ? []
          : [{ id, progress }];
      });
    },
    /** `false` where the cursor does not stand at `from`. */
    move(changing: Changing, { claim: { subscription }, from, to }: Advance): boolean {
      const key = [subscription.channel, subscription.id];
      if (to <= from || cursors.within(changing).get(key) !== from) return false;
      cursors.within(changing).put(key, to);
      if (failures.within(changing).get(key) !== undefined) failures.within(changing).remove(key);
      return true;
    },
    /** `false` where the subscription has ended. */
    fail(
      changing: Changing,
      subscription: Subscription,
      failure: { failing: Failing; paused: boolean },
    ): boolean {
      const key = [subscription.channel, subscription.id];
      if (cursors.within(changing).get(key) === undefined) return false;
      failures.within(changing).put(key, failure);
      return true;
    },
    /** `false` where it was not paused. Its schedule of attempts begins anew. */
    resume(changing: Changing, channel: ChannelId, id: SubscriptionId): boolean {
      const rows = failures.within(changing);
      if (rows.get([channel, id])?.paused !== true) return false;
      rows.remove([channel, id]);
      return true;
    },
    park(changing: Changing, letter: DeadLetter): void {
      deadLetters.within(changing).put([letter.channel, letter.subscription, letter.sequence], letter);
    },
    deadLetters: (channel: ChannelId, id: SubscriptionId): DeadLetter[] =>
      [...deadLetters.range(keysBelow(channel, id))].map(({ row }) => row),
  };
}
