import type { Topic } from "../channels/topic.ts";
import type { Notification, NotificationLog } from "../log/notification-log.ts";
import type { Events } from "../observability/events.ts";
import type { SubscriptionStore } from "../subscriptions/subscription-store.ts";
import { leaseHasEnded, type Subscription } from "../subscriptions/subscription.ts";
import type { AttemptDelivery, DeliveryOutcome } from "./attempt-delivery.ts";
import type { DeadLetter } from "./dead-letters.ts";
import type { Claim, DeliveryLedger } from "./delivery-ledger.ts";
import { endLeases } from "./end-lease.ts";
import { addressee, type BacklogEnd, lost } from "./settle-attempt.ts";

interface Parts {
  readonly ledger: Pick<DeliveryLedger, "nextResend" | "settleResend" | "forgetResends">;
  readonly log: Pick<NotificationLog, "read">;
  readonly subscriptions: Pick<SubscriptionStore, "find" | "end">;
  readonly attempt: AttemptDelivery;
  readonly events: Pick<
    Events,
    | "resent"
    | "resendFailed"
    | "resendImpossible"
    | "resendsStopped"
    | "callbackGone"
    | "claimLost"
    | "leaseEnded"
  >;
  readonly now: () => number;
}

/** A callback that is down must not hold up what it has not had yet for as many time-outs as letters are marked. */
const mostFailuresInARow = 5;

const leftTheLog =
  "The log no longer holds the notification (log.keep, log.max), so it cannot be sent again.";

/** What a resend came to; the number is that of failures since the last success. */
type Resent = ResendEnd | { readonly kind: "passed"; readonly failures: number };

/** `crowded`: others come first; the marks stay. */
type ResendEnd = Exclude<BacklogEnd, { kind: "crowded" }> | { readonly kind: "crowded" };

/**
 * Sends the letters that an operator marked, lowest first and one at a time under the claim, as they were sent before: with the
 * same `webhook-id`. A letter that is refused again stays, without its mark: the operator sees why and decides.
 */
export function resendLetters(parts: Parts) {
  const { ledger, log, attempt, events, now } = parts;
  const settle = settleResends(parts);
  const endLease = endLeases(parts);

  return async (
    topic: Topic,
    claim: Claim,
    stop: AbortSignal,
  ): Promise<ResendEnd | { readonly kind: "passed" }> => {
    const { subscription } = claim;
    const { channel, id } = subscription;
    let failures = 0;
    for (;;) {
      if (stop.aborted) return { kind: "stopped" };
      if (leaseHasEnded(subscription, now())) return endLease(subscription);
      const marked = await ledger.nextResend(channel, id);
      if (marked === undefined) return { kind: "passed" };
      const { sequence, letter } = marked;
      if (letter === undefined) {
        if (!(await ledger.settleResend(claim, sequence, undefined))) return lost(events, subscription);
        continue;
      }
      const [notification] = await log.read(channel, sequence - 1, 1);
      if (notification?.sequence !== sequence) {
        const kept = { ...letter, unsendable: leftTheLog };
        if (!(await ledger.settleResend(claim, sequence, kept))) return lost(events, subscription);
        events.resendImpossible({ ...addressee(subscription), sequence });
        continue;
      }
      const outcome = await attempt(subscription, topic, notification, letter.attempts + 1);
      const resent = await settle({ claim, subscription, notification, letter, failures }, outcome);
      if (resent.kind !== "passed") return resent;
      failures = resent.failures;
      if (failures < mostFailuresInARow) continue;
      events.resendsStopped({ ...addressee(subscription), letters: await ledger.forgetResends(claim) });
      return { kind: "passed" };
    }
  };
}

interface Resending {
  readonly claim: Claim;
  readonly subscription: Subscription;
  readonly notification: Notification;
  readonly letter: DeadLetter;
  readonly failures: number;
}

function settleResends({ ledger, subscriptions, events }: Parts) {
  return async (
    { claim, subscription, notification, letter, failures }: Resending,
    outcome: DeliveryOutcome,
  ): Promise<Resent> => {
    const { sequence, position } = notification;
    const attempts = letter.attempts + 1;
    const at = { ...addressee(subscription), position, attempt: attempts };
    switch (outcome.kind) {
      case "delivered":
        if (!(await ledger.settleResend(claim, sequence, undefined))) return lost(events, subscription);
        events.resent({ ...at, status: outcome.status, milliseconds: outcome.milliseconds });
        return { kind: "passed", failures: 0 };
      case "gone":
        await subscriptions.end(subscription.channel, subscription.id);
        events.callbackGone({ ...addressee(subscription), position });
        return { kind: "ended" };
      case "abandoned":
        return { kind: "stopped" };
      case "crowded":
        return { kind: "crowded" };
      case "barred":
        return { kind: "barred", until: outcome.until };
      case "failed": {
        const kept = { ...letter, position, attempts, last: outcome.record, unsendable: undefined };
        if (!(await ledger.settleResend(claim, sequence, kept))) return lost(events, subscription);
        events.resendFailed({ ...at, reason: outcome.record.reason });
        return { kind: "passed", failures: failures + 1 };
      }
    }
  };
}
