import type { ChannelId } from "../channels/channel.ts";
import type { SubscriptionId } from "../subscriptions/subscription.ts";

/** Says that somebody should look at a channel, or at one subscription of it. Work that finds nothing to do is cheap. */
export interface WakeUp {
  readonly channel: ChannelId;
  /** `undefined`: all subscriptions of the channel. */
  readonly subscription: SubscriptionId | undefined;
}

/**
 * Hands wake-ups to one process. They may be merged, repeated or, when a process dies, lost: the reconciler makes up for it.
 * A wake-up for a channel that comes while the same one is being handled is handled after it.
 */
export interface WakeUps {
  /** Never throws and never makes the caller wait for a delivery; a store that is away is told by an event. */
  wake(wakeUp: WakeUp): Promise<void>;
  /** A later wake-up for one subscription; a second one for the same replaces the first. `at` in milliseconds since 1970. */
  wakeAt(wakeUp: WakeUp & { readonly subscription: SubscriptionId }, at: number): Promise<void>;
  /** Begins to hand out wake-ups, several at a time. */
  start(handle: (wakeUp: WakeUp) => Promise<void>): Promise<void>;
  /** Hands out no more, and resolves when the running ones have ended. */
  close(): Promise<void>;
}
