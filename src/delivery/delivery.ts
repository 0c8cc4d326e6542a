import type { ChannelId } from "../channels/channel.ts";
import type { Topic, Topics } from "../channels/topic.ts";
import type { NotificationLog } from "../log/notification-log.ts";
import { reportFault } from "../log/report-fault.ts";
import type { Events } from "../observability/events.ts";
import type { SubscriptionStore } from "../subscriptions/subscription-store.ts";
import type { SubscriptionId } from "../subscriptions/subscription.ts";
import type { attemptDelivery } from "./attempt-delivery.ts";
import { createCursorWrites } from "./cursor-writes.ts";
import { deliverBacklogs } from "./deliver-backlog.ts";
import type { Advance, Claim, DeliveryLedger, DueTimes } from "./delivery-ledger.ts";
import type { DeliveryRecords } from "./delivery-records.ts";
import { keepClaims } from "./kept-claims.ts";
import type { LapseParts } from "./lapsed.ts";
import { createLogPages } from "./log-pages.ts";
import { attemptsInTurn } from "./origins/attempts-in-turn.ts";
import type { OriginView } from "./origins/known-origins.ts";
import { startReconciler, wakeWhenDue } from "./reconcile.ts";
import type { RetryPolicy } from "./retry-policy.ts";
import { type BacklogEnd, lost } from "./settle-attempt.ts";
import type { WakeUp, WakeUps } from "./wake-ups.ts";

interface Parts extends Pick<LapseParts, "mayReceive" | "withdraw"> {
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

export interface Delivery {
  /** The servers that this process has called lately. State of this process alone. */
  origins(): readonly OriginView[];
  /** One of them. */
  origin(origin: string): OriginView | undefined;
  /** Begins no more deliveries, lets running ones finish until `deadline` calls them off, gives every claim back. */
  close(deadline: AbortSignal): Promise<void>;
}

/** How many subscriptions of a channel are claimed at a time. */
const laneLength = 300;

/** Until a subscription is woken again that was woken for nothing. Milliseconds. */
const shortestWait = 50;

/** Who waits longer than this for a turn asks whether its claim still holds, before it sends anything. Milliseconds. */
const unaskedFor = 1000;

/**
 * Delivers the log to the callbacks. A wake-up only claims what is behind and starts it; each subscription then goes at its
 * own pace under its claim, so none waits for another.
 */
export async function startDelivery(parts: Parts): Promise<Delivery> {
  const { topics, log, ledger, wakeUps, now } = parts;
  const stopping = new AbortController();
  const deliveries = startClaimed(parts, stopping.signal);

  async function handle({ channel: id, subscription }: WakeUp): Promise<void> {
    const topic = await topics.byId(id);
    if (topic === undefined || stopping.signal.aborted) return;
    const ids = subscription === undefined ? await ledger.ids(id) : [subscription];
    let claimed = 0;
    for (let at = 0; at < ids.length; at += laneLength) {
      await deliveries.keepIfLate();
      for (const claim of await ledger.claim(id, ids.slice(at, at + laneLength), now())) {
        deliveries.start(topic, claim);
        claimed += 1;
      }
    }
    if (subscription !== undefined && claimed === 0) await wakeInTime(id, subscription);
  }

  /** The clock by which a wake-up came may be ahead of the one by which a retry waits; the wake-up is used up all the same. */
  async function wakeInTime(channel: ChannelId, subscription: SubscriptionId): Promise<void> {
    const remaining = await ledger.dueIn(channel, subscription, now());
    if (remaining === undefined) return;
    // Whatever keeps it from being claimed, it must not be woken in one turn after the other.
    await wakeWhenDue(parts, channel, subscription, now() + Math.max(remaining, shortestWait));
  }

  await wakeUps.start(handle);
  const unfollow = log.onAppend(({ channel, local }) => {
    // The process that appended wakes for all; where it dies before that, the reconciler does.
    if (local) void wakeUps.wake({ channel, subscription: undefined });
  });
  const reconciler = startReconciler(parts);

  return {
    origins: () => deliveries.origins(),
    origin: (origin) => deliveries.origin(origin),
    async close(deadline) {
      stopping.abort();
      unfollow();
      await reconciler.close();
      await wakeUps.close();
      await deliveries.close(deadline);
      await parts.records.close();
    },
  };
}

/** Runs the deliveries of the claims that it is given, each on its own and each attempt in its turn. */
function startClaimed(parts: Parts, stop: AbortSignal) {
  const { ledger, wakeUps, events, now } = parts;
  const pages = createLogPages(parts.log);
  const calledOff = new AbortController();
  const running = new Set<Promise<void>>();
  const lostClaims = new WeakSet<Claim>();
  const claims = keepClaims(ledger, parts.takeOverAfter, (claim) => lostClaims.add(claim));
  const cursors = createCursorWrites(ledger);
  const turns = attemptsInTurn({
    ...parts,
    attempt: (...delivery) => parts.attempt(...delivery, calledOff.signal),
    random: Math.random,
  });
  const settling = {
    ...parts,
    pages,
    advance: async (move: Advance) => !lostClaims.has(move.claim) && (await cursors.advance(move)),
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
        if (now() - since > unaskedFor && !(await claims.holds(claim)))
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
    // Also where the subscription has ended: the same pair may be subscribed again at once.
    const isBehind = await cursors.release(claim);
    if (end.kind === "barred") await wakeWhenDue(parts, channel, id, end.until);
    else if (isBehind && !stop.aborted) await wakeUps.wake({ channel, subscription: id });
  }

  return {
    start(topic: Topic, claim: Claim): void {
      claims.add(topic.id, claim);
      const work = run(topic, claim)
        // Nothing is lost: the cursor stands, the claim lapses, and the reconciler finds what is behind.
        .catch(reportFault(events, "delivery"))
        .finally(() => {
          claims.remove(topic.id, claim);
          running.delete(work);
          if (running.size === 0) pages.clear();
        });
      running.add(work);
    },
    keepIfLate: () => claims.keepIfLate(),
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
