import type { Topics } from "../channels/topic.ts";
import { channelPlaces } from "./channel-places.ts";
import { OperationRefused } from "./operation-refused.ts";
import type { SubscriptionViewParts } from "./list-subscriptions.ts";
import { inPieces } from "./in-pieces.ts";
import { parseSubscriptionId } from "../subscriptions/subscription-id.ts";
import type { SubscriptionRow } from "./subscription-row.ts";

/** Topics that are asked at the same time whether the subscription is theirs. */
const topicsAtOnce = 100;

export type FindSubscription = (text: string) => Promise<SubscriptionRow>;

/** Finds a subscription by its id alone; throws `OperationRefused` where there is none. */
export function findSubscription(
  parts: Omit<SubscriptionViewParts, "topics"> & { readonly topics: Pick<Topics, "all"> },
): FindSubscription {
  const { topics, subscriptions, ledger, log, now } = parts;
  return async (text) => {
    const id = parseSubscriptionId(text);
    if (id === undefined) throw unknown(text);
    const found = inPieces(await topics.all(), topicsAtOnce, (topic) => subscriptions.find(topic.id, id));
    for await (const subscription of found) {
      if (subscription === undefined) continue;
      const progress = await ledger.progress(subscription.channel, id);
      if (progress === undefined) break;
      return { subscription, progress, places: channelPlaces(log, subscription.channel, now) };
    }
    throw unknown(text);
  };
}

function unknown(text: string): OperationRefused {
  return new OperationRefused(
    "unknown",
    `There is no subscription ${text}: it may have ended. GET /api/v1/subscriptions lists those that there are.`,
  );
}
