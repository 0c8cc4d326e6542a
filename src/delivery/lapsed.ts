import type { Events } from "../observability/events.ts";
import type { SubscriptionStore } from "../subscriptions/subscription-store.ts";
import { leaseHasEnded, type MayReceive, type Subscription } from "../subscriptions/subscription.ts";
import type { Withdrawals } from "../subscriptions/withdraw.ts";
import { addressee, type BacklogEnd } from "./settle-attempt.ts";

export interface LapseParts {
  readonly subscriptions: Pick<SubscriptionStore, "find" | "end">;
  readonly mayReceive: MayReceive;
  readonly withdraw: Withdrawals["withdraw"];
  readonly events: Pick<Events, "leaseEnded">;
  readonly now: () => number;
}

/**
 * Subscriptions that nothing may be sent to any more: their lease ran out (WebSub §5.3.1), or nobody's right to read a private
 * set covers them. To be asked before each attempt, since tokens can be replaced between two of them.
 */
export function lapsedSubscriptions({ subscriptions, mayReceive, withdraw, events, now }: LapseParts) {
  return {
    hasLapsed: (subscription: Subscription): boolean =>
      leaseHasEnded(subscription, now()) || !mayReceive(subscription),
    /** Ends it, unless it was renewed since it was read: then it is read anew. */
    async end({ channel, id }: Subscription): Promise<BacklogEnd> {
      const current = await subscriptions.find(channel, id);
      if (current === undefined) return { kind: "ended" };
      if (leaseHasEnded(current, now())) {
        if (await subscriptions.end(channel, id)) events.leaseEnded(addressee(current));
        return { kind: "ended" };
      }
      if (mayReceive(current)) return { kind: "caught-up" };
      await withdraw(current);
      return { kind: "ended" };
    },
  };
}
