import type { ChannelId } from "../channels/channel.ts";
import { channelKeys } from "../log/redis-keys.ts";
import type { ScriptArgument } from "../log/redis-script.ts";
import type { SubscriptionId } from "../subscriptions/subscription.ts";
import type { Claim } from "./delivery-ledger.ts";

/** The names of a channel's keys, in the order in which the scripts of the ledger take them. */
export function ledgerKeys(prefix: string, channel: ChannelId) {
  const keys = channelKeys(prefix, channel);
  const { meta, cursors, failures, waits, claims, resends } = keys;
  return {
    ...keys,
    standing: [meta, cursors, waits, claims, resends],
    moving: [cursors, failures, waits, claims],
    letters: (id: SubscriptionId) => [keys.deadLetters(id), keys.marks(id), resends],
  };
}

/** How the scripts are told of a claim. */
export function idAndFence({ subscription, fence }: Claim): ScriptArgument[] {
  return [subscription.id, fence];
}
