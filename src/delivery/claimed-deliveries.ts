import type { Topic, Topics } from "../channels/topic.ts";
import type { NotificationLog } from "../log/notification-log.ts";
import { reportFault } from "../log/report-fault.ts";
import type { Events } from "../observability/events.ts";
import type { SubscriptionStore } from "../subscriptions/subscription-store.ts";
import type { SubscriptionId } from "../subscriptions/subscription.ts";
import type { attemptDelivery } from "./attempt-delivery.ts";
import { deliverBacklogs } from "./deliver-backlog.ts";
import type { Claim, DeliveryLedger, DueTimes } from "./delivery-ledger.ts";
import type { DeliveryRecords } from "./delivery-records.ts";
import type { LapseParts } from "./lapsed.ts";
import { createLogPages } from "./log-pages.ts";
import { attemptsInTurn } from "./origins/attempts-in-turn.ts";
import { ownClaims } from "./own-claims.ts";
import { wakeWhenDue } from "./reconcile.ts";
import type { RetryPolicy } from "./retry-policy.ts";
import { type BacklogEnd, lost } from "./settle-attempt.ts";
import type { WakeUps } from "./wake-ups.ts";

export interface DeliveryParts extends Pick<LapseParts, "mayReceive" | "withdraw"> {
  readonly topics: Topics;
  readonly log: Pick<NotificationLog, "read" | "bounds" | "onAppend">;
  readonly subscriptions: Pick<SubscriptionStore, "find" | "end">;
  readonly ledger: DeliveryLedger & DueTimes;
  readonly wakeUps: WakeUps;
  readonly attempt: ReturnType<typeof attemptDelivery>;
  readonly retry: RetryPolicy;
  readonly exhausted: "park" | "pause";
  /** How many dead letters of one subscription are kept. */
  readonly deadLetters: number;
  readonly records: Pick<DeliveryRecords, "record" | "close">;
  /** Attempts at the same time, and of these at one origin. Slow and failing origins together may hold half. */
  readonly concurrency: number;
  readonly perOrigin: number;
  /** How long a process may be silent before others take over what it delivers. Milliseconds. */
  readonly takeOverAfter: number;
  readonly events: Events;
  readonly now: () => number;
}

/** Who waits longer than this for a turn asks whether its claim still holds, before it sends anything. Milliseconds. */
const unaskedFor = 1000;

/**
 * After these the subscription may be another one by now, subscribed, resumed or moved meanwhile, whose wake-up was used up
 * while its old claim was still being delivered under.
 */
const mayBeNew: ReadonlySet<BacklogEnd["kind"]> = new Set(["ended", "claim-lost"]);

/** Runs deliveries under claims of this process, each on its own and each attempt in its turn. */
export function claimedDeliveries(parts: DeliveryParts, stop: AbortSignal) {
  const { ledger, wakeUps, events, now } = parts;
  const pages = createLogPages(parts.log);
  const calledOff = new AbortController();
  const running = new Set<Promise<void>>();
  const claims = ownClaims(ledger, { lasts: parts.takeOverAfter, now });
  const turns = attemptsInTurn({
    ...parts,
    attempt: (...delivery) => parts.attempt(...delivery, calledOff.signal),
    random: Math.random,
  });
  const settling = {
    ...parts,
    pages,
    // Both give the claim back.
    ledger: { ...ledger, defer: claims.defer, pause: claims.pause },
    advance: claims.advance,
  };

  async function deliver(topic: Topic, claim: Claim): Promise<BacklogEnd> {
    const seat = turns.seat(claim);
    try {
      const deliverOn = deliverBacklogs({ ...settling, attempt: seat.attempt });
      let end = await deliverOn(topic, claim, stop);
      while (end.kind === "crowded") {
        const since = now();
        await seat.turn();
        // Meanwhile an operator may have paused or moved it: it must not be sent what it does not want any more.
        if (now() - since > unaskedFor && !(await claims.stillHolds(claim)))
          return lost(events, claim.subscription);
        end = await deliverOn(topic, claim, stop, end.standing);
      }
      return end;
    } finally {
      seat.leave();
    }
  }

  async function run(topic: Topic, claim: Claim): Promise<void> {
    const { channel, id } = claim.subscription;
    const end = await deliver(topic, claim);
    if (end.kind === "deferred") await wakeWhenDue(parts, channel, id, end.until);
    // The claim went with the failure.
    if (end.kind === "deferred" || end.kind === "paused") return;
    const isBehind = await claims.release(claim);
    if (end.kind === "barred") await wakeWhenDue(parts, channel, id, end.until);
    else if ((isBehind || mayBeNew.has(end.kind)) && !stop.aborted)
      await wakeUps.wake({ channel, subscription: id });
  }

  return {
    /** Claims those of `ids` that are behind and free, and begins. */
    async start(topic: Topic, ids: readonly SubscriptionId[]): Promise<void> {
      for (const claim of await claims.claim(topic.id, ids)) {
        const work = run(topic, claim)
          // Nothing is lost: the cursor stands, the claim lapses, and the reconciler finds what is behind.
          .catch(reportFault(events, "delivery"))
          .finally(() => {
            claims.letGo(claim);
            running.delete(work);
            if (running.size === 0) pages.clear();
          });
        running.add(work);
      }
    },
    /** Whoever is woken meanwhile needs no wake-up of its own: its end looks whether there is more to do. */
    isRunning: claims.holds,
    origins: () => turns.origins(),
    origin: (origin: string) => turns.origin(origin),
    async close(deadline: AbortSignal): Promise<void> {
      turns.close();
      if (deadline.aborted) calledOff.abort();
      else deadline.addEventListener("abort", () => calledOff.abort(), { once: true });
      await Promise.allSettled(running);
      claims.close();
    },
  };
}
