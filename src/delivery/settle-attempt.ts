import type { Notification } from "../log/notification-log.ts";
import type { Events } from "../observability/events.ts";
import { originOf } from "../protocol/http-url.ts";
import type { SubscriptionStore } from "../subscriptions/subscription-store.ts";
import type { Subscription } from "../subscriptions/subscription.ts";
import type { DeliveryOutcome } from "./attempt-delivery.ts";
import type { Advance, AttemptRecord, DeliveryLedger, Failing } from "./delivery-ledger.ts";
import type { ReadSubscription } from "./fresh-subscription.ts";
import type { RetryPolicy } from "./retry-policy.ts";

/** How delivering to one subscription came to an end. After `deferred` and `paused` the claim is given back already. */
export type BacklogEnd =
  | { readonly kind: "caught-up" | "stopped" }
  | { readonly kind: "deferred"; readonly until: number }
  | { readonly kind: "paused" | "ended" | "claim-lost" }
  /** The circuit of the origin is open, and nothing was recorded: to be claimed again at `until`. */
  | { readonly kind: "barred"; readonly until: number }
  /** Others come first: to be taken up again from `standing`, with nothing held in memory meanwhile. */
  | { readonly kind: "crowded"; readonly standing: Standing };

export interface Standing extends ReadSubscription {
  readonly cursor: number;
  readonly failing: Failing | undefined;
  /** Dead letters in a row that were refused again; `undefined` where none is left to be sent again. */
  readonly refusals: number | undefined;
}

/** `passed`: the cursor stands behind the notification, and the next one can be sent. */
export type Settled = { readonly kind: "passed" } | BacklogEnd;

export interface Attempted extends ReadSubscription {
  readonly notification: Notification;
  readonly move: Advance;
  /** What failed before, of the same notification. */
  readonly failing: Failing | undefined;
  /** Attempts of this notification, with the one that is settled. */
  readonly attempts: number;
}

export interface SettleParts {
  readonly ledger: Pick<DeliveryLedger, "defer" | "park" | "pause">;
  readonly subscriptions: Pick<SubscriptionStore, "end">;
  /** Moves a cursor, together with those of other subscriptions; `false` where the claim was lost. */
  readonly advance: (advance: Advance) => Promise<boolean>;
  readonly retry: RetryPolicy;
  /** What becomes of a notification whose last attempt failed, unless its subscription says otherwise. */
  readonly exhausted: "park" | "pause";
  /** How many dead letters of one subscription are kept. */
  readonly deadLetters: number;
  readonly events: Pick<
    Events,
    | "delivered"
    | "deliveryFailed"
    | "deliveryBarred"
    | "parked"
    | "lettersDropped"
    | "paused"
    | "callbackGone"
    | "claimLost"
  >;
  readonly now: () => number;
}

/** Makes durable what an attempt came to, before anything else is sent to the subscription. */
export function settleAttempts(parts: SettleParts) {
  const { subscriptions, advance, events, now } = parts;
  const settleFailure = settleFailures(parts);

  return async (attempted: Attempted, outcome: DeliveryOutcome): Promise<Settled> => {
    const { subscription, notification, move, attempts } = attempted;
    const at = { ...addressee(subscription), position: notification.position };
    switch (outcome.kind) {
      case "delivered": {
        if (!(await advance(move))) return lost(events, subscription);
        const { status, milliseconds } = outcome;
        const sinceAppend = now() - notification.receivedAt;
        events.delivered({ ...at, status, milliseconds, sinceAppend, attempt: attempts });
        return { kind: "passed" };
      }
      case "gone":
        await subscriptions.end(subscription.channel, subscription.id);
        events.callbackGone(at);
        return { kind: "ended" };
      case "abandoned":
        return { kind: "stopped" };
      case "failed":
        return settleFailure(attempted, outcome.record, outcome.retryAfter);
      case "crowded": {
        const { readAt, failing } = attempted;
        const standing = { subscription, cursor: move.from, failing, readAt, refusals: undefined };
        return { kind: "crowded", standing };
      }
      case "barred": {
        // The time runs, the schedule of attempts does not: it is due when the circuit lets somebody through.
        const [at, attempts] = [now(), attempted.attempts - 1];
        const { reason } = outcome;
        const record = { at, milliseconds: 0, status: undefined, reason, answer: undefined };
        return settleFailure({ ...attempted, attempts }, record, outcome.until - at, "barred");
      }
    }
  };
}

function settleFailures({ ledger, retry, exhausted, deadLetters, events, now }: SettleParts) {
  return async (
    { subscription, notification, move, failing: before, attempts }: Attempted,
    last: AttemptRecord,
    retryAfter: number | undefined,
    why: "failed" | "barred" = "failed",
  ): Promise<Settled> => {
    const { reason } = last;
    const at = { ...addressee(subscription), position: notification.position };
    const firstFailedAt = before?.firstFailedAt ?? last.at;
    const tried = why === "failed" ? attempts : 0;
    const decision = retry({ attempts: tried, firstFailedAt }, now(), retryAfter);

    if (decision !== "give-up") {
      const { nextAttemptAt } = decision;
      const asked = now();
      const held = await ledger.defer(move.claim, { attempts, firstFailedAt, nextAttemptAt, last });
      // The store may count the wait from when it took the failure: a wake-up at the very time would come in vain.
      const taken = Math.max(now() - asked, 0);
      if (!held) return lost(events, subscription);
      const next = new Date(nextAttemptAt).toISOString();
      if (why === "barred") events.deliveryBarred({ ...at, reason, until: next });
      else events.deliveryFailed({ ...at, attempt: attempts, reason, nextAttemptAt: next });
      return { kind: "deferred", until: nextAttemptAt + taken };
    }
    if ((subscription.exhausted ?? exhausted) === "pause") {
      const held = await ledger.pause(move.claim, { attempts, firstFailedAt, nextAttemptAt: now(), last });
      if (!held) return lost(events, subscription);
      events.paused({ ...at, attempts, reason });
      return { kind: "paused" };
    }
    const { channel, id } = subscription;
    const letter = {
      channel,
      subscription: id,
      sequence: notification.sequence,
      position: notification.position,
      attempts,
      firstFailedAt,
      parkedAt: now(),
      last,
      unsendable: undefined,
    };
    const parked = await ledger.park(move, letter, deadLetters);
    if (parked.kind === "claim-lost") return lost(events, subscription);
    events.parked({ ...at, attempts, reason });
    if (parked.dropped > 0) events.lettersDropped({ ...addressee(subscription), letters: parked.dropped });
    return { kind: "passed" };
  };
}

export function lost(events: Pick<Events, "claimLost">, { channel, id }: Subscription): BacklogEnd {
  events.claimLost({ channel, subscription: id });
  return { kind: "claim-lost" };
}

/** Whom an event is about. */
export function addressee({ channel, id, callback }: Subscription) {
  return { channel, subscription: id, callbackOrigin: originOf(callback) };
}
