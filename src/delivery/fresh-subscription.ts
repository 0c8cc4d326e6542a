import type { SubscriptionStore } from "../subscriptions/subscription-store.ts";
import type { Subscription } from "../subscriptions/subscription.ts";

/** A subscription as it was read. */
export interface ReadSubscription {
  readonly subscription: Subscription;
  /** Milliseconds since 1970. */
  readonly readAt: number;
}

interface Parts {
  readonly subscriptions: Pick<SubscriptionStore, "find">;
  readonly now: () => number;
}

/** A long backlog outlives what the claim knows of the subscription: a renewal shows after this time. Milliseconds. */
const staleAfter = 5000;

/** What a delivery knows of its subscription, read anew now and then: its secret, and when its lease ends. */
export function freshSubscriptions({ subscriptions, now }: Parts) {
  return {
    isStale: ({ readAt }: Pick<ReadSubscription, "readAt">): boolean => Math.abs(now() - readAt) > staleAfter,
    /** `undefined` where it has ended. */
    async readAnew({ channel, id }: Subscription): Promise<ReadSubscription | undefined> {
      const subscription = await subscriptions.find(channel, id);
      return subscription && { subscription, readAt: now() };
    },
  };
}
