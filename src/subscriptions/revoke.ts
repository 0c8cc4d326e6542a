import { reportFault } from "../log/report-fault.ts";
import type { Events } from "../observability/events.ts";
import { originOf } from "../protocol/http-url.ts";
import type { Deny } from "./deny.ts";
import type { SubscriptionStore } from "./subscription-store.ts";
import type { Subscription } from "./subscription.ts";

interface Parts {
  readonly store: Pick<SubscriptionStore, "end">;
  readonly deny: Deny;
  readonly events: Pick<Events, "subscriptionRevoked" | "storageUnavailable" | "unexpected">;
}

/**
 * Ends an active subscription and tells its callback so (WebSub §5.2: a hub may deny at any time). Resolves once it has
 * ended, before the callback has answered; `false` where it had ended before, of which nobody is told. Throws
 * `StorageUnavailable`.
 */
export type Revoke = (subscription: Subscription, reason: string) => Promise<boolean>;

/** The same, told to the log by `ended`. */
export type EndAndTell = (
  subscription: Subscription,
  reason: string,
  ended: (subscription: Subscription) => void,
) => Promise<boolean>;

export function revokeSubscriptions({ store, deny, events }: Parts): {
  readonly revoke: Revoke;
  readonly endAndTell: EndAndTell;
  /** Resolves when no callback is being told any more. */
  settled(): Promise<void>;
} {
  const telling = new Set<Promise<void>>();

  const endAndTell: EndAndTell = async (subscription, reason, ended) => {
    const { channel, id, topic, callback } = subscription;
    if (!(await store.end(channel, id))) return false;
    ended(subscription);
    const told = deny({ channel, subscription: id, topic, callback }, reason)
      .catch(reportFault(events, "denial"))
      .finally(() => telling.delete(told));
    telling.add(told);
    return true;
  };

  return {
    endAndTell,
    revoke: (subscription, reason) =>
      endAndTell(subscription, reason, ({ channel, id, callback }) =>
        events.subscriptionRevoked({ channel, subscription: id, callbackOrigin: originOf(callback) }),
      ),
    async settled() {
      while (telling.size > 0) await Promise.all(telling);
    },
  };
}
