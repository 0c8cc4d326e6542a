import type { Topic } from "../channels/topic.ts";
import type { Notification, NotificationLog } from "../log/notification-log.ts";
import type { Events } from "../observability/events.ts";
import type { Subscription } from "../subscriptions/subscription.ts";
import type { AttemptDelivery, DeliveryOutcome } from "./attempt-delivery.ts";
import type { DeadLetter, MarkedLetter } from "./dead-letters.ts";
import type { Claim, DeliveryLedger } from "./delivery-ledger.ts";
import { freshSubscriptions } from "./fresh-subscription.ts";
import { type LapseParts, lapsedSubscriptions } from "./lapsed.ts";
import { addressee, type BacklogEnd, lost, type Standing } from "./settle-attempt.ts";

interface Parts extends Omit<LapseParts, "events"> {
  readonly ledger: Pick<DeliveryLedger, "nextResend" | "settleResend" | "forgetResends">;
  readonly log: Pick<NotificationLog, "read">;
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
const mostRefusalsInARow = 5;

const leftTheLog =
  "The log no longer holds the notification (log.keep, log.max), so it cannot be sent again.";

/** What sending one letter came to. */
type Resent =
  | Exclude<BacklogEnd, { kind: "crowded" }>
  | { readonly kind: "taken" }
  | { readonly kind: "refused" }
  | { readonly kind: "crowded" };

/** `passed`: no letter is left to be sent again, or the callback refuses them all. */
type ResendEnd = BacklogEnd | { readonly kind: "passed"; readonly standing: Standing };

/**
 * Sends the letters that an operator marked, lowest first and one at a time under the claim, as they were sent before: with the
 * same `webhook-id`. A letter that is refused again stays, without its mark: the operator sees why and decides.
 */
export function resendLetters(parts: Parts) {
  const { ledger, attempt, events } = parts;
  const readLetter = readLetters(parts);
  const settle = settleResends(parts);
  const lapsed = lapsedSubscriptions(parts);
  const fresh = freshSubscriptions(parts);

  return async (standing: Standing, topic: Topic, claim: Claim, stop: AbortSignal): Promise<ResendEnd> => {
    const { channel, id } = claim.subscription;
    let { subscription, readAt, refusals = 0 } = standing;
    const passed = (): ResendEnd => ({
      kind: "passed",
      standing: { ...standing, subscription, readAt, refusals: undefined },
    });
    for (;;) {
      if (stop.aborted) return { kind: "stopped" };
      if (fresh.isStale({ readAt })) {
        const renewed = await fresh.readAnew(subscription);
        if (renewed === undefined) return { kind: "ended" };
        ({ subscription, readAt } = renewed);
      }
      if (lapsed.hasLapsed(subscription)) return lapsed.end(subscription);
      const marked = await ledger.nextResend(channel, id);
      if (marked === undefined) return passed();
      const sendable = await readLetter(claim, marked);
      if ("kind" in sendable) return sendable;
      if (sendable.notification === undefined) continue;
      const { notification, letter } = sendable;
      const outcome = await attempt(subscription, topic, notification, letter.attempts + 1);
      const resent = await settle({ claim, subscription, notification, letter }, outcome);
      if (resent.kind === "crowded") {
        // Others come first; the marks stay.
        return { kind: "crowded", standing: { ...standing, subscription, readAt, refusals } };
      }
      if (resent.kind !== "taken" && resent.kind !== "refused") return resent;
      refusals = resent.kind === "taken" ? 0 : refusals + 1;
      if (refusals < mostRefusalsInARow) continue;
      events.resendsStopped({ ...addressee(subscription), letters: await ledger.forgetResends(claim) });
      return passed();
    }
  };
}

/** Reads what a marked letter stands for. Where there is nothing to send, its mark is taken away. */
function readLetters({ ledger, log, events }: Parts) {
  return async (
    claim: Claim,
    { sequence, letter }: MarkedLetter,
  ): Promise<
    BacklogEnd | { letter: DeadLetter; notification: Notification } | { notification: undefined }
  > => {
    const { subscription } = claim;
    const [found] = await log.read(subscription.channel, sequence - 1, 1);
    const notification = found?.sequence === sequence ? found : undefined;
    if (letter !== undefined && notification !== undefined) return { letter, notification };
    const kept = letter && { ...letter, unsendable: leftTheLog };
    if (!(await ledger.settleResend(claim, sequence, kept))) return lost(events, subscription);
    if (letter !== undefined) events.resendImpossible({ ...addressee(subscription), sequence });
    return { notification: undefined };
  };
}

interface Resending {
  readonly claim: Claim;
  readonly subscription: Subscription;
  readonly notification: Notification;
  readonly letter: DeadLetter;
}

function settleResends({ ledger, subscriptions, events }: Parts) {
  return async (
    { claim, subscription, notification, letter }: Resending,
    outcome: DeliveryOutcome,
  ): Promise<Resent> => {
    const { sequence, position } = notification;
    const attempts = letter.attempts + 1;
    const at = { ...addressee(subscription), position, attempt: attempts };
    switch (outcome.kind) {
      case "delivered":
        if (!(await ledger.settleResend(claim, sequence, undefined))) return lost(events, subscription);
        events.resent({ ...at, status: outcome.status, milliseconds: outcome.milliseconds });
        return { kind: "taken" };
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
        return { kind: "refused" };
      }
    }
  };
}
