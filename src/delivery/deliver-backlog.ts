import type { Channel } from "../channels/channel.ts";
import type { Events } from "../observability/events.ts";
import type { SubscriptionStore } from "../subscriptions/subscription-store.ts";
import { leaseHasEnded, type Subscription } from "../subscriptions/subscription.ts";
import type { AttemptDelivery } from "./attempt-delivery.ts";
import type { Claim } from "./delivery-ledger.ts";
import type { LogPages } from "./log-pages.ts";
import { addressee, type BacklogEnd, settleAttempts, type SettleParts } from "./settle-attempt.ts";

interface Parts extends SettleParts {
  readonly pages: Pick<LogPages, "after">;
  readonly subscriptions: Pick<SubscriptionStore, "find" | "end">;
  readonly attempt: AttemptDelivery;
  readonly events: SettleParts["events"] & Pick<Events, "leaseEnded" | "missed">;
}

/** A long backlog outlives what the claim knows of the subscription: a renewal shows after this time. Milliseconds. */
const staleAfter = 5000;

/**
 * Delivers what one subscription has not received, in log order: the next notification is sent only after the cursor has
 * moved over the one before, so a crash can repeat one notification at most.
 */
export function deliverBacklogs(parts: Parts) {
  const { pages, subscriptions, attempt, events, now } = parts;
  const settle = settleAttempts(parts);

  return async (channel: Channel, claim: Claim, stop: AbortSignal): Promise<BacklogEnd> => {
    let { cursor, failing } = claim.progress;
    let { subscription } = claim;
    let readAt = now();
    for (;;) {
      if (now() - readAt > staleAfter) {
        const renewed = await subscriptions.find(channel.id, subscription.id);
        if (renewed === undefined) return { kind: "ended" };
        [subscription, readAt] = [renewed, now()];
      }
      const page = await pages.after(channel.id, cursor);
      if (page.length === 0) return { kind: "caught-up" };

      for (const notification of page) {
        if (stop.aborted) return { kind: "stopped" };
        if (leaseHasEnded(subscription, now())) return endLease(subscription);
        // Told once, and not again with every attempt.
        if (failing === undefined && notification.sequence > cursor + 1) {
          const [from, to] = [cursor + 1, notification.sequence - 1];
          events.missed({ channel: channel.id, subscription: subscription.id, from, to });
        }
        const attempts = (failing?.attempts ?? 0) + 1;
        const outcome = await attempt(subscription, channel, notification, attempts);
        const move = { claim, from: cursor, to: notification.sequence };
        const settled = await settle({ subscription, notification, move, failing, attempts }, outcome);
        if (settled.kind !== "passed") return settled;
        cursor = notification.sequence;
        failing = undefined;
      }
    }
  };

  async function endLease({ channel, id }: Subscription): Promise<BacklogEnd> {
    const current = await subscriptions.find(channel, id);
    if (current !== undefined && !leaseHasEnded(current, now())) return { kind: "caught-up" };
    if (current !== undefined && (await subscriptions.end(channel, id)))
      events.leaseEnded(addressee(current));
    return { kind: "ended" };
  }
}
