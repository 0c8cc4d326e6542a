import type { Channels } from "../channels/registry.ts";
import { findSubscription } from "./find-subscription.ts";
import { listChannels } from "./list-channels.ts";
import { listSubscriptions, type SubscriptionViewParts } from "./list-subscriptions.ts";
import type { ListedSubscription } from "./schemas/subscriptions.ts";
import { describeSubscription } from "./subscription-row.ts";

type Parts = SubscriptionViewParts & { readonly channels: Pick<Channels, "sets"> };

/** What operators can see and do, without HTTP. Everything throws `OperationRefused` and `StorageUnavailable`. */
export function createOperations(parts: Parts) {
  const find = findSubscription(parts);
  return {
    ...listChannels(parts),
    subscriptions: listSubscriptions(parts),
    async subscription(id: string): Promise<ListedSubscription> {
      return await describeSubscription(await find(id), parts.ledger);
    },
  };
}

export type Operations = ReturnType<typeof createOperations>;
