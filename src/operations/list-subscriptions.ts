import type { Topic, Topics } from "../channels/topic.ts";
import type { DeliveryLedger } from "../delivery/delivery-ledger.ts";
import type { DeliveryRecords } from "../delivery/delivery-records.ts";
import type { NotificationLog } from "../log/notification-log.ts";
import type { SubscriptionStore } from "../subscriptions/subscription-store.ts";
import type { SubscriptionId } from "../subscriptions/subscription.ts";
import { type ChannelPlaces, channelPlaces } from "./channel-places.ts";
import { inPieces } from "./in-pieces.ts";
import { lastAttempts } from "./last-attempts.ts";
import { byText, type Page, type PageEnd, readPageEnd, writePageEnd } from "./page-cursor.ts";
import { unknownChannel } from "./subscriptions-with-letters.ts";
import type { ListedSubscription, SubscriptionsQuery } from "./schemas/subscriptions.ts";
import {
  type DescriptionParts,
  describeSubscription,
  stateOf,
  type SubscriptionRow,
} from "./subscription-row.ts";

export interface SubscriptionViewParts extends DescriptionParts {
  readonly topics: Topics;
  readonly log: Pick<NotificationLog, "bounds" | "read">;
  readonly subscriptions: Pick<SubscriptionStore, "find">;
  readonly ledger: Pick<DeliveryLedger, "ids" | "progress">;
  readonly records: Pick<DeliveryRecords, "of">;
  readonly now: () => number;
}

/** Subscriptions that are asked about at the same time. */
const rowsAtOnce = 200;
/** Of those that are shown: for each a notification may be read, which can be large. */
const describedAtOnce = 16;
/** What one request looks at; its page then ends, shorter than it was asked for. */
const maxLookedAt = 20_000;

/** Pages of subscriptions in the order of channel and id. Only the ids of one channel are held at the same time. */
export function listSubscriptions(parts: SubscriptionViewParts) {
  const { topics, log, subscriptions, ledger, now } = parts;

  /** Throws `OperationRefused`. */
  return async (query: SubscriptionsQuery): Promise<Page<ListedSubscription>> => {
    const begin = query.after === undefined ? { channel: "", id: "" } : readPageEnd(query.after);
    const found: SubscriptionRow[] = [];
    let end: PageEnd | undefined;
    let lookedAt = 0;
    let isLast = true;
    for await (const { row, at } of rowsAfter(begin, query)) {
      isLast = found.length < query.limit && lookedAt < maxLookedAt;
      if (!isLast) break;
      lookedAt += 1;
      end = at;
      if (row !== undefined && (await matches(row, query))) found.push(row);
    }
    const items: ListedSubscription[] = [];
    const last = await lastAttempts(found, parts.records);
    const described = inPieces(found, describedAtOnce, (row) =>
      describeSubscription(row, last.get(row.subscription.id), parts),
    );
    for await (const each of described) items.push(each);
    return { items, after: isLast || end === undefined ? undefined : writePageEnd(end) };
  };

  async function topicsFrom(begin: PageEnd, asked: string | undefined): Promise<readonly Topic[]> {
    const all = await topics.all();
    if (asked !== undefined && !all.some(({ id }) => id === asked)) {
      throw unknownChannel(asked);
    }
    return all
      .filter(({ id }) => id >= begin.channel && (asked === undefined || id === asked))
      .toSorted((a, b) => byText(a.id, b.id));
  }

  async function idsAfter(
    begin: PageEnd,
    { id: channel }: Topic,
    prefix: string,
  ): Promise<readonly SubscriptionId[]> {
    const ids = await ledger.ids(channel);
    return ids
      .filter((id) => id.startsWith(prefix) && (channel !== begin.channel || id > begin.id))
      .toSorted(byText);
  }

  async function* rowsAfter(
    begin: PageEnd,
    query: SubscriptionsQuery,
  ): AsyncGenerator<{ row: SubscriptionRow | undefined; at: PageEnd }> {
    for (const topic of await topicsFrom(begin, query.channel)) {
      const places = channelPlaces(log, topic.id, now);
      const ids = await idsAfter(begin, topic, query.id ?? "");
      yield* inPieces(ids, rowsAtOnce, async (id) => ({
        row: await rowOf(topic, id, places),
        at: { channel: topic.id, id },
      }));
    }
  }

  /** It may have ended since the ids were read. */
  async function rowOf(
    { id: channel }: Topic,
    id: SubscriptionId,
    places: ChannelPlaces,
  ): Promise<SubscriptionRow | undefined> {
    const [subscription, progress] = await Promise.all([
      subscriptions.find(channel, id),
      ledger.progress(channel, id),
    ]);
    return subscription === undefined || progress === undefined
      ? undefined
      : { subscription, progress, places };
  }
}

async function matches(
  { subscription, progress, places }: SubscriptionRow,
  { state, callback, behind }: SubscriptionsQuery,
): Promise<boolean> {
  if (state !== undefined && stateOf(progress) !== state) return false;
  if (callback !== undefined && !subscription.callback.includes(callback)) return false;
  return behind === undefined || (await places.waiting(progress.cursor)) >= behind;
}
