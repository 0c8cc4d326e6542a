import type { ChannelId } from "../channels/channel.ts";
import type { SubscriptionId } from "../subscriptions/subscription.ts";

/** The longest note of a pause, in characters; what is longer is cut. */
export const maxPauseNote = 500;

/**
 * `outside-log`: the log has no such place; the first one is before its oldest notification, the last one behind its newest.
 */
export type Rewound = "rewound" | "no-subscription" | "outside-log";

/**
 * An operator's hand on a subscription. It needs no claim and breaks the one that runs: the deliverer that holds it moves no
 * cursor any more and ends; what it is sending at that moment may still arrive, and come again.
 *
 * After `resume`, `hasten` and `rewind` the caller wakes the subscription through `WakeUps`; else the reconciler does within seconds.
 * Every method throws `StorageUnavailable` where the store cannot be reached; what it resolved is durable.
 */
export interface DeliveryControl {
  /**
   * Stops delivery until `resume`, over renewals too. A pause of the hub's own becomes the operator's; failures stay, to be
   * read. `false` where there is no such subscription.
   */
  pause(channel: ChannelId, id: SubscriptionId, note?: string): Promise<boolean>;
  /** Ends any pause; the schedule of attempts begins anew. `false` where the subscription was not paused. */
  resume(channel: ChannelId, id: SubscriptionId): Promise<boolean>;
  /**
   * Ends the wait for the next attempt, but no pause; the schedule of attempts begins anew. `false` where nothing is waited for.
   */
  hasten(channel: ChannelId, id: SubscriptionId): Promise<boolean>;
  /**
   * Lets the subscription go on after sequence number `to`, back or forward. Failures and a pause that they led to are
   * forgotten; an operator's pause and the dead letters stay.
   */
  rewind(channel: ChannelId, id: SubscriptionId, to: number): Promise<Rewound>;
}
