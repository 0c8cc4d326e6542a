import type { ChannelId } from "../channels/channel.ts";
import type { Subscription, SubscriptionId } from "../subscriptions/subscription.ts";

/** How the last attempt of a notification ended, for people. */
export interface AttemptRecord {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly milliseconds: number;
  readonly status: number | undefined;
  /** Why it failed, in words; empty after a success. */
  readonly reason: string;
}

/** Why the notification that follows the cursor has not been delivered. */
export interface Failing {
  /** Attempts made so far; 0 where the circuit of the origin has let none through. */
  readonly attempts: number;
  /** When it could not be delivered for the first time. */
  readonly firstFailedAt: number;
  readonly nextAttemptAt: number;
  readonly last: AttemptRecord;
}

/** Where a subscription stands. */
export interface Progress {
  /** Sequence number of the last notification that was acknowledged, parked or skipped. */
  readonly cursor: number;
  readonly failing: Failing | undefined;
  /** Not delivered to until it is resumed. */
  readonly paused: boolean;
}

/** The right of one process to deliver to one subscription, until it is released or lapses. */
export interface Claim {
  readonly subscription: Subscription;
  readonly progress: Progress;
  /** Grows with each claim of the subscription; a write with an older one is refused. */
  readonly fence: number;
}

/** A move of a cursor: refused unless the claim still holds and the cursor stands at `from`. */
export interface Advance {
  readonly claim: Claim;
  readonly from: number;
  readonly to: number;
}

export interface DeadLetter {
  readonly channel: ChannelId;
  readonly subscription: SubscriptionId;
  readonly sequence: number;
  readonly attempts: number;
  readonly firstFailedAt: number;
  readonly last: AttemptRecord;
}

interface Backlog {
  /** Behind, due, not paused, claimed by nobody: should be woken now. */
  readonly due: readonly SubscriptionId[];
  /** Behind and waiting for their next attempt. */
  readonly waiting: readonly { readonly id: SubscriptionId; readonly at: number }[];
}

/**
 * The cursors of the subscriptions, and who may move them.
 *
 * A claim lapses `claimMilliseconds` after it was made or last kept, so that the subscriptions of a process that died
 * become free. Where one process owns the store, claims live in its memory and die with it.
 * Every method throws `StorageUnavailable` where the store cannot be reached; what it resolved is durable.
 */
export interface DeliveryLedger {
  /** Claims, of `ids` or of all, those that are behind, due, not paused and free. `now` in milliseconds since 1970. */
  claim(channel: ChannelId, ids: readonly SubscriptionId[] | "all", now: number): Promise<readonly Claim[]>;
  /** Moves cursors forward, which also ends `failing`; answers for each whether it moved. One round trip for all. */
  advance(channel: ChannelId, moves: readonly Advance[]): Promise<readonly boolean[]>;
  /** Records a failure and releases the claim; `false` where the claim was lost. */
  defer(claim: Claim, failing: Failing): Promise<boolean>;
  /** Moves the cursor over the notification, keeps the dead letter; the claim stays. `false` where it was lost. */
  park(advance: Advance, letter: DeadLetter): Promise<boolean>;
  /** Stops delivery until somebody resumes it, and releases the claim. */
  pause(claim: Claim, failing: Failing): Promise<boolean>;
  resume(channel: ChannelId, id: SubscriptionId): Promise<boolean>;
  /** Gives claims back; answers those that have unread notifications again. */
  release(channel: ChannelId, claims: readonly Claim[]): Promise<readonly SubscriptionId[]>;
  /** Puts off the lapse of claims; answers those that were lost already. */
  keep(channel: ChannelId, claims: readonly Claim[]): Promise<readonly SubscriptionId[]>;
  /** What a wake-up may have been lost for. */
  backlog(channel: ChannelId, now: number): Promise<Backlog>;
  progress(channel: ChannelId, id: SubscriptionId): Promise<Progress | undefined>;
  deadLetters(channel: ChannelId, id: SubscriptionId): Promise<readonly DeadLetter[]>;
  /** Ids of the channel's subscriptions, for lanes. */
  ids(channel: ChannelId): Promise<readonly SubscriptionId[]>;
}

/** A claim that nobody kept lapses after this time. */
export const claimMilliseconds = 15_000;
