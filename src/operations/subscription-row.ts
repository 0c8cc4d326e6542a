import type { DeliveryLedger, Progress } from "../delivery/delivery-ledger.ts";
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
  if (paused) return "paused";
  return failing === undefined ? "active" : "failing";
}

const textOf = (milliseconds: number): string => new Date(milliseconds).toISOString();

function failingOf({ failing, paused }: Progress): ListedSubscription["failing"] {
  if (failing === undefined) return undefined;
  const { attempts, firstFailedAt, nextAttemptAt, last } = failing;
  return {
    attempts,
    firstFailedAt: textOf(firstFailedAt),
    nextAttemptAt: paused ? undefined : textOf(nextAttemptAt),
    last: { ...last, at: textOf(last.at), milliseconds: Math.round(last.milliseconds) },
  };
}

/** What an operator sees of it. The secret stays where it is. */
export async function describeSubscription(
  { subscription, progress, places }: SubscriptionRow,
  ledger: Pick<DeliveryLedger, "deadLetters">,
): Promise<ListedSubscription> {
  const { id, channel, topic, callback, secret, expiresAt, createdAt } = subscription;
  return {
    id,
    channel,
    topic,
    callback,
    state: stateOf(progress),
    position: await places.position(progress.cursor),
    lag: await places.lag(progress.cursor),
    failing: failingOf(progress),
    deadLetters: (await ledger.deadLetters(channel, id)).length,
    leaseEndsAt: textOf(expiresAt),
    createdAt: textOf(createdAt),
    signed: secret !== undefined,
  };
}
