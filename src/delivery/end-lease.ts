import type { Events } from "../observability/events.ts";
import type { SubscriptionStore } from "../subscriptions/subscription-store.ts";
import { leaseHasEnded, type Subscription } from "../subscriptions/subscription.ts";
import { addressee, type BacklogEnd } from "./settle-attempt.ts";

interface Parts {
  readonly subscriptions: Pick<SubscriptionStore, "find" | "end">;
  readonly events: Pick<Events, "leaseEnded">;
  readonly now: () => number;
}

/** Ends a subscription whose lease ran out (WebSub §5.3.1), unless it was renewed since it was read: then it is read anew. */
export function endLeases({ subscriptions, events, now }: Parts) {
  return async ({ channel, id }: Subscription): Promise<BacklogEnd> => {
    const current = await subscriptions.find(channel, id);
    if (current !== undefined && !leaseHasEnded(current, now())) return { kind: "caught-up" };
    if (current !== undefined && (await subscriptions.end(channel, id)))
      events.leaseEnded(addressee(current));
    return { kind: "ended" };
  };
}
