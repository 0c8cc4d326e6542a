import type { ChannelId } from "../channels/channel.ts";
import type { Position } from "../protocol/position.ts";
import type { SubscriptionId } from "../subscriptions/subscription.ts";
import type { AttemptRecord } from "./delivery-ledger.ts";

/** A notification that one subscription did not take, and why. */
export interface DeadLetter {
  readonly channel: ChannelId;
  readonly subscription: SubscriptionId;
  readonly sequence: number;
  /** For people; `undefined` in letters that an earlier version of the hub parked. */
  readonly position: Position | undefined;
  /** With those of sending it again. */
  readonly attempts: number;
  /** Both in milliseconds since 1970. */
  readonly firstFailedAt: number;
  readonly parkedAt: number;
  readonly last: AttemptRecord;
  /** Why it cannot be sent again, where that was found. */
  readonly unsendable: string | undefined;
}

/** Letters by sequence number, or those parked at `since` (milliseconds since 1970) or later. */
export type ChosenLetters = readonly number[] | { readonly since: number };

/** How many of the chosen letters were marked; of these `gone` cannot be sent, because the log no longer holds them. */
interface ResendOutcome {
  readonly marked: number;
  readonly gone: number;
}

/**
 * The dead letters of a subscription, for operators. Their number is bounded where they are parked.
 * Every method throws `StorageUnavailable` where the store cannot be reached; what it resolved is durable.
 */
export interface DeadLetters {
  /** Those after the sequence number `after`, lowest first. */
  page(
    channel: ChannelId,
    id: SubscriptionId,
    page: { readonly after: number; readonly limit: number },
  ): Promise<readonly DeadLetter[]>;
  count(channel: ChannelId, id: SubscriptionId): Promise<number>;
  /** Answers how many there were. What is being sent just now may still arrive. */
  drop(channel: ChannelId, id: SubscriptionId, letters: ChosenLetters): Promise<number>;
  /**
   * Marks letters to be sent again before anything else, each once; a paused subscription gets them when it is resumed. The
   * caller then wakes the subscription through `WakeUps`.
   */
  resend(channel: ChannelId, id: SubscriptionId, letters: ChosenLetters): Promise<ResendOutcome>;
}

/** A letter that is marked to be sent again. */
export interface MarkedLetter {
  readonly sequence: number;
  /** `undefined` where it was dropped meanwhile. */
  readonly letter: DeadLetter | undefined;
}
