import type { Channels } from "../channels/registry.ts";
import type { DeliveryRecords } from "../delivery/delivery-records.ts";
import type { Events } from "../observability/events.ts";
import { originOf } from "../protocol/http-url.ts";
import type { Subscription } from "../subscriptions/subscription.ts";
import { type ChangingParts, changeSubscriptions } from "./change-subscription.ts";
import { findSubscription } from "./find-subscription.ts";
import { lastAttempts } from "./last-attempts.ts";
import { listChannels } from "./list-channels.ts";
import { listLetters } from "./list-letters.ts";
import { listSubscriptions, type SubscriptionViewParts } from "./list-subscriptions.ts";
import { observe, type ObservedParts } from "./observe.ts";
import { moveSubscriptions, type MovingParts } from "./move-subscription.ts";
import type { ReplayBody, RewindBody } from "./schemas/placing.ts";
import type {
  Ended,
  ListedSubscription,
  RecordList,
  RecordsQuery,
  SecretBody,
} from "./schemas/subscriptions.ts";
import { type LetterParts, settleLetters } from "./settle-letters.ts";
import { describeSubscription, recordedAttempt, type SubscriptionRow } from "./subscription-row.ts";

type Parts = SubscriptionViewParts &
  ObservedParts &
  ChangingParts &
  MovingParts &
  Omit<LetterParts, "find"> & {
    readonly channels: Pick<Channels, "sets">;
    readonly records: Pick<DeliveryRecords, "of">;
    readonly events: Pick<Events, "operated">;
  };

/** What operators can see and do, without HTTP. Everything throws `OperationRefused` and `StorageUnavailable`. */
export function createOperations(parts: Parts) {
  const find = findSubscription(parts);
  const change = changeSubscriptions(parts);
  const move = moveSubscriptions(parts);
  const letters = { ...parts, find };
  const describe = async (id: string): Promise<ListedSubscription> => {
    const row = await find(id);
    const last = await lastAttempts([row], parts.records);
    return describeSubscription(row, last.get(row.subscription.id), parts);
  };

  const tell = ({ channel, id, callback }: Subscription, action: string): void =>
    parts.events.operated({ channel, subscription: id, callbackOrigin: originOf(callback), action });

  async function touch<Answer>(
    id: string,
    action: string,
    act: (row: SubscriptionRow) => Promise<Answer>,
  ): Promise<Answer> {
    const row = await find(id);
    const answer = await act(row);
    tell(row.subscription, action);
    return answer;
  }

  return {
    ...listChannels(parts),
    ...listLetters(letters),
    ...observe(parts),
    letters: settleLetters(letters, tell),
    subscriptions: listSubscriptions(parts),
    subscription: describe,
    async attempts(id: string, query: RecordsQuery): Promise<RecordList> {
      const { subscription, places } = await find(id);
      const found = await parts.records.of(subscription.channel, { ...query, subscription: subscription.id });
      const attempts: RecordList["attempts"] = [];
      for (const record of found) attempts.push(await recordedAttempt(record, places));
      return { attempts };
    },
    async pause(id: string, note: string | undefined): Promise<ListedSubscription> {
      await touch(id, "paused", ({ subscription }) => change.pause(subscription, note));
      return await describe(id);
    },
    async resume(id: string): Promise<ListedSubscription> {
      await touch(id, "resumed", ({ subscription }) => change.resume(subscription));
      return await describe(id);
    },
    async setExhausted(id: string, exhausted: "park" | "pause" | "default"): Promise<ListedSubscription> {
      await touch(id, `exhausted: ${exhausted}`, ({ subscription }) =>
        change.setExhausted(subscription, exhausted),
      );
      return await describe(id);
    },
    rotateSecret: (id: string, asked: SecretBody) =>
      touch(id, "secret rotated", ({ subscription }) => change.rotateSecret(subscription, asked)),
    end: (id: string, reason: string | undefined): Promise<Ended> =>
      touch(id, "ended", async ({ subscription }) => {
        await change.end(subscription, reason);
        const { channel, callback } = subscription;
        return { id, channel, callback };
      }),
    async rewind(id: string, asked: RewindBody) {
      if (asked.dryRun) return await move.rewind(await find(id), asked);
      return await touch(id, "rewound", (row) => move.rewind(row, asked));
    },
    async replay(id: string, asked: ReplayBody) {
      if (asked.dryRun) return await move.replay(await find(id), asked);
      return await touch(id, "replayed", (row) => move.replay(row, asked));
    },
  };
}

export type Operations = ReturnType<typeof createOperations>;
