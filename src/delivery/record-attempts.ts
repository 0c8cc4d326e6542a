import type { AttemptDelivery, DeliveryOutcome } from "./attempt-delivery.ts";
import type { DeliveryRecord, DeliveryRecords } from "./delivery-records.ts";

/** The same attempts, each with a record of how it ended. One that was called off, or not made, says nothing of the callback. */
export function recordAttempts(
  attempt: AttemptDelivery,
  records: Pick<DeliveryRecords, "record">,
  now: () => number,
): AttemptDelivery {
  return async (subscription, topic, notification, count) => {
    const outcome = await attempt(subscription, topic, notification, count);
    const ended = endOf(outcome, now);
    if (ended !== undefined) {
      const of = { subscription: subscription.id, sequence: notification.sequence, attempt: count };
      records.record(subscription.channel, { ...of, ...ended });
    }
    return outcome;
  };
}

type End = Pick<DeliveryRecord, "at" | "milliseconds" | "outcome" | "status" | "reason">;

function endOf(outcome: DeliveryOutcome, now: () => number): End | undefined {
  switch (outcome.kind) {
    case "delivered": {
      const { status, milliseconds } = outcome;
      return { at: now() - milliseconds, milliseconds, outcome: "delivered", status, reason: "" };
    }
    case "failed":
    case "gone": {
      const { at, milliseconds, status, reason } = outcome.record;
      return { at, milliseconds, outcome: outcome.kind, status, reason };
    }
    case "abandoned":
    case "crowded":
    case "barred":
      return undefined;
  }
}
