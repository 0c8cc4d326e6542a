import type { ChannelId } from "../channels/channel.ts";
import type { DeliveryRecord, DeliveryRecords } from "../delivery/delivery-records.ts";
import type { SubscriptionId } from "../subscriptions/subscription.ts";
import type { SubscriptionRow } from "./subscription-row.ts";

/** Records of a channel that are looked through for a page: what `delivery.records.max` keeps by default, of both kinds. */
const maxLookedThrough = 20_000;

type LastAttempts = ReadonlyMap<SubscriptionId, DeliveryRecord>;

/** The last recorded attempt of each subscription, as far back as records are kept; each channel's are read once. */
export async function lastAttempts(
  rows: readonly SubscriptionRow[],
  records: Pick<DeliveryRecords, "of">,
): Promise<LastAttempts> {
  const wanted = new Map<ChannelId, Set<SubscriptionId>>();
  for (const { subscription } of rows) {
    const ofChannel = wanted.get(subscription.channel) ?? new Set();
    wanted.set(subscription.channel, ofChannel.add(subscription.id));
  }
  const found = new Map<SubscriptionId, DeliveryRecord>();
  for (const [channel, ids] of wanted) {
    const [only, ...others] = ids;
    const query = others.length === 0 ? { subscription: only, limit: 1 } : { limit: maxLookedThrough };
    for (const record of await records.of(channel, query)) {
      if (ids.has(record.subscription) && !found.has(record.subscription))
        found.set(record.subscription, record);
    }
  }
  return found;
}
