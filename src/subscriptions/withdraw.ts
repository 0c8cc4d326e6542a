import type { ChannelId } from "../channels/channel.ts";
import type { Events } from "../observability/events.ts";
import { originOf } from "../protocol/http-url.ts";
import type { EndAndTell } from "./revoke.ts";
import type { SubscriptionStore } from "./subscription-store.ts";
import type { MayReceive, Subscription } from "./subscription.ts";

interface Parts {
  /** Those of private sets are looked at. */
  readonly channels: { readonly all: readonly { readonly id: ChannelId; readonly isPrivate: boolean }[] };
  readonly store: Pick<SubscriptionStore, "list" | "find">;
  readonly mayReceive: MayReceive;
  readonly endAndTell: EndAndTell;
  readonly events: Pick<Events, "subscriptionUnauthorised">;
}

export interface Withdrawals {
  /**
   * Ends a subscription that nobody's right covers any more, and tells its callback; `false` where it is covered after all, as
   * by a renewal, or had ended. Throws `StorageUnavailable`.
   */
  withdraw(subscription: Pick<Subscription, "channel" | "id">): Promise<boolean>;
  /** The same for every subscription to a private set. Throws `StorageUnavailable`. */
  withdrawAll(): Promise<void>;
}

/** Told to whoever asked, who may have no right to know more (hub.reason). */
export const noLongerCovered =
  "This subscription is no longer allowed. Subscribe again with a token that may read the topic, or ask who runs the hub.";

export function createWithdrawals({ channels, store, mayReceive, endAndTell, events }: Parts): Withdrawals {
  const isPrivate = channels.all.filter((channel) => channel.isPrivate).map(({ id }) => id);

  async function withdraw({ channel, id }: Pick<Subscription, "channel" | "id">): Promise<boolean> {
    const current = await store.find(channel, id);
    if (current === undefined || mayReceive(current)) return false;
    return await endAndTell(current, noLongerCovered, ({ callback, authority }) => {
      const at = { channel, subscription: id, callbackOrigin: originOf(callback) };
      events.subscriptionUnauthorised({ ...at, holder: authority?.name });
    });
  }

  return {
    withdraw,
    async withdrawAll() {
      for (const channel of isPrivate) {
        const uncovered = (await store.list(channel)).filter((one) => !mayReceive(one));
        for (const subscription of uncovered) await withdraw(subscription);
      }
    },
  };
}
