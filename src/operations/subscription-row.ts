import type { DeadLetters } from "../delivery/dead-letters.ts";
import type { Delivery } from "../delivery/delivery.ts";
import type { AttemptRecord, Progress } from "../delivery/delivery-ledger.ts";
import type { DeliveryRecord } from "../delivery/delivery-records.ts";
import { originOf } from "../protocol/http-url.ts";
import type { Subscription } from "../subscriptions/subscription.ts";
import type { ChannelPlaces } from "./channel-places.ts";
import type { ListedSubscription, SubscriptionState } from "./schemas/subscriptions.ts";

/** A subscription, and where it stands. */
export interface SubscriptionRow {
  readonly subscription: Subscription;
  readonly progress: Progress;
  readonly places: ChannelPlaces;
}

export function stateOf({ paused, failing }: Progress): SubscriptionState {
  if (paused !== undefined) return "paused";
  return failing === undefined ? "active" : "failing";
}

export const textOf = (milliseconds: number): string => new Date(milliseconds).toISOString();

function failingOf({ failing, paused }: Progress): ListedSubscription["failing"] {
  if (failing === undefined) return undefined;
  const { attempts, firstFailedAt, nextAttemptAt, last } = failing;
  return {
    attempts,
    firstFailedAt: textOf(firstFailedAt),
    nextAttemptAt: paused === undefined ? textOf(nextAttemptAt) : undefined,
    last: attemptOf(last),
  };
}

function pausedOf({ paused }: Progress): ListedSubscription["paused"] {
  if (paused === undefined) return undefined;
  const { at, because, note } = paused;
  return { since: at === 0 ? undefined : textOf(at), because, note };
}

export function attemptOf<Record extends Pick<AttemptRecord, "at" | "milliseconds">>(record: Record) {
  return { ...record, at: textOf(record.at), milliseconds: Math.round(record.milliseconds) };
}

/** A record, with the place of its notification. */
export async function recordedAttempt(record: DeliveryRecord, places: ChannelPlaces) {
  const { subscription: _, sequence, ...attempt } = record;
  return { ...attemptOf(attempt), position: await places.position(sequence) };
}

export interface DescriptionParts {
  readonly deadLetters: Pick<DeadLetters, "count">;
  readonly delivery: Pick<Delivery, "origin">;
  /** Where no operator has decided for a subscription. */
  readonly exhausted: "park" | "pause";
}

/** What an operator sees of it. The secret stays where it is. */
export async function describeSubscription(
  { subscription, progress, places }: SubscriptionRow,
  lastAttempt: DeliveryRecord | undefined,
  { deadLetters, delivery, exhausted }: DescriptionParts,
): Promise<ListedSubscription> {
  const { id, channel, topic, callback, secret, expiresAt, createdAt } = subscription;
  return {
    id,
    channel,
    topic,
    callback,
    state: stateOf(progress),
    position: await places.position(progress.cursor),
    paused: pausedOf(progress),
    lag: await places.lag(progress.cursor),
    failing: failingOf(progress),
    lastAttempt: lastAttempt === undefined ? undefined : await recordedAttempt(lastAttempt, places),
    circuit: delivery.origin(originOf(callback))?.state,
    deadLetters: await deadLetters.count(channel, id),
    exhausted: subscription.exhausted ?? exhausted,
    leaseEndsAt: textOf(expiresAt),
    createdAt: textOf(createdAt),
    signed: secret !== undefined,
  };
}
