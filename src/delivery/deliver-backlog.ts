import type { ChannelId } from "../channels/channel.ts";
import type { Topic } from "../channels/topic.ts";
import type { NotificationLog } from "../log/notification-log.ts";
import type { Events } from "../observability/events.ts";
import type { Subscription } from "../subscriptions/subscription.ts";
import type { AttemptDelivery } from "./attempt-delivery.ts";
import type { Claim, DeliveryLedger, Failing } from "./delivery-ledger.ts";
import type { DeliveryRecords } from "./delivery-records.ts";
import { freshSubscriptions, type ReadSubscription } from "./fresh-subscription.ts";
import { type LapseParts, lapsedSubscriptions } from "./lapsed.ts";
import type { LogPages } from "./log-pages.ts";
import { recordAttempts } from "./record-attempts.ts";
import { resendLetters } from "./resend-letters.ts";
import { type BacklogEnd, lost, settleAttempts, type SettleParts, type Standing } from "./settle-attempt.ts";

interface Parts extends SettleParts, Pick<LapseParts, "mayReceive" | "withdraw"> {
  readonly pages: Pick<LogPages, "after">;
  readonly log: Pick<NotificationLog, "bounds" | "read">;
  readonly ledger: SettleParts["ledger"] &
    Pick<DeliveryLedger, "nextResend" | "settleResend" | "forgetResends">;
  readonly subscriptions: LapseParts["subscriptions"];
  readonly attempt: AttemptDelivery;
  readonly records: Pick<DeliveryRecords, "record">;
  readonly events: SettleParts["events"] &
    Pick<Events, "leaseEnded" | "missed" | "resent" | "resendFailed" | "resendImpossible" | "resendsStopped">;
}

/**
 * Delivers what one subscription has not received, in log order: the next notification is sent only after the cursor has
 * moved over the one before, so a crash can repeat one notification at most. The cursor passes over what retention took: that
 * is told once, and what failed before is no longer the next one. Dead letters that are marked to be sent again come before
 * all that.
 */
export function deliverBacklogs(parts: Parts) {
  const { pages, log, ledger, advance, events, now } = parts;
  const attempt = recordAttempts(parts.attempt, parts.records, now);
  const settle = settleAttempts(parts);
  const resend = resendLetters({ ...parts, attempt });
  const lapsed = lapsedSubscriptions(parts);
  const fresh = freshSubscriptions(parts);

  /** `from`: where it stood when others came first. */
  return async (topic: Topic, claim: Claim, stop: AbortSignal, from?: Standing): Promise<BacklogEnd> => {
    const { subscription, progress, resends } = claim;
    const { cursor, failing } = progress;
    const refusals = resends ? 0 : undefined;
    const standing = from ?? { subscription, cursor, failing, readAt: now(), refusals };
    if (standing.refusals === undefined) return await deliverFrom(standing, topic, claim, stop);
    const resent = await resend(standing, topic, claim, stop);
    if (resent.kind !== "passed") return resent;
    return await deliverFrom(resent.standing, topic, claim, stop);
  };

  async function deliverFrom(
    standing: Standing,
    topic: Topic,
    claim: Claim,
    stop: AbortSignal,
  ): Promise<BacklogEnd> {
    let { subscription, cursor, failing, readAt } = standing;
    for (;;) {
      if (fresh.isStale({ readAt })) {
        const renewed = await readAnew(subscription);
        if ("kind" in renewed) return renewed;
        ({ subscription, readAt } = renewed);
      }
      const page = await pages.after(topic.id, cursor, claim.incarnation);
      const next = page[0]?.sequence ?? (await oldestAfterNothing(topic.id, claim, cursor));
      if (next !== undefined && next > cursor + 1) {
        if (!(await advance({ claim, from: cursor, to: next - 1 }))) return lost(events, subscription);
        events.missed({ channel: topic.id, subscription: subscription.id, from: cursor + 1, to: next - 1 });
        [cursor, failing] = [next - 1, undefined];
        continue;
      }
      if (page.length === 0) return { kind: "caught-up" };

      for (const notification of page) {
        if (stop.aborted) return { kind: "stopped" };
        if (fresh.isStale({ readAt })) break;
        if (lapsed.hasLapsed(subscription)) return lapsed.end(subscription);
        const attempts = attemptsBefore(failing) + 1;
        const outcome = await attempt(subscription, topic, notification, attempts);
        const move = { claim, from: cursor, to: notification.sequence };
        const settled = await settle(
          { subscription, readAt, notification, move, failing, attempts },
          outcome,
        );
        if (settled.kind !== "passed") return settled;
        cursor = notification.sequence;
        failing = undefined;
      }
    }
  }

  /** Where letters were marked meanwhile, the claim is given back: the next one sends them first. */
  async function readAnew(subscription: Subscription): Promise<ReadSubscription | BacklogEnd> {
    const renewed = await fresh.readAnew(subscription);
    if (renewed === undefined) return { kind: "ended" };
    const marked = await ledger.nextResend(subscription.channel, subscription.id);
    return marked === undefined ? renewed : { kind: "caught-up" };
  }

  /**
   * Who is claimed was behind, or had letters to be sent again: where a first page is empty all the same, retention may have
   * let go of everything. The cursor must pass over it, or the subscription would be behind, and woken, for ever.
   */
  async function oldestAfterNothing(channel: ChannelId, { progress }: Claim, cursor: number) {
    return cursor === progress.cursor ? (await log.bounds(channel)).oldest : undefined;
  }
}

function attemptsBefore(failing: Failing | undefined): number {
  return failing?.attempts ?? 0;
}
