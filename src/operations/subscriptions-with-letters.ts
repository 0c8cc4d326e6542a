import type { Topics } from "../channels/topic.ts";
import type { DeadLetters } from "../delivery/dead-letters.ts";
import type { DeliveryLedger } from "../delivery/delivery-ledger.ts";
import type { SubscriptionStore } from "../subscriptions/subscription-store.ts";
import type { Subscription } from "../subscriptions/subscription.ts";
import { inPieces } from "./in-pieces.ts";
import { OperationRefused } from "./operation-refused.ts";
import { byText, type PageEnd } from "./page-cursor.ts";

interface Parts {
  readonly topics: Pick<Topics, "all">;
  readonly ledger: Pick<DeliveryLedger, "ids">;
  readonly subscriptions: Pick<SubscriptionStore, "find">;
  readonly deadLetters: Pick<DeadLetters, "count">;
}

interface Chosen {
  readonly channel?: string | undefined;
  readonly subscription?: string | undefined;
}

/** Subscriptions that are asked about at the same time. */
const atOnce = 200;

/** Those that have dead letters, in the order of channel and id, beginning with `from`. */
export async function* subscriptionsWithLetters(
  { topics, ledger, subscriptions, deadLetters }: Parts,
  chosen: Chosen,
  from: PageEnd = { channel: "", id: "" },
): AsyncGenerator<Subscription> {
  const all = (await topics.all()).filter(({ id }) => chosen.channel === undefined || id === chosen.channel);
  if (all.length === 0 && chosen.channel !== undefined) throw unknownChannel(chosen.channel);
  for (const { id: channel } of all.toSorted((a, b) => byText(a.id, b.id))) {
    if (channel < from.channel) continue;
    const ids = (await ledger.ids(channel))
      .filter((id) => chosen.subscription === undefined || id === chosen.subscription)
      .filter((id) => channel !== from.channel || id >= from.id)
      .toSorted(byText);
    const counted = inPieces(ids, atOnce, async (id) => ({
      id,
      count: await deadLetters.count(channel, id),
    }));
    for await (const { id, count } of counted) {
      const subscription = count === 0 ? undefined : await subscriptions.find(channel, id);
      if (subscription !== undefined) yield subscription;
    }
  }
}

export function unknownChannel(channel: string): OperationRefused {
  return new OperationRefused(
    "unknown",
    `This hub has no channel ${channel}; GET /api/v1/channels lists them.`,
  );
}
