import type { ChannelId } from "../channels/channel.ts";
import type { Subscription, SubscriptionId } from "../subscriptions/subscription.ts";
import type { DeadLetter, MarkedLetter } from "./dead-letters.ts";

/** How the last attempt of a notification ended, for people. */
export interface AttemptRecord {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly milliseconds: number;
  readonly status: number | undefined;
  /** Why it failed, in a short sentence; empty after a success. */
  readonly reason: string;
  /** The first KiB of what the callback answered, printable; `undefined` where it said nothing. */
  readonly answer: string | undefined;
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

/** Not delivered to until it is resumed. */
export interface Paused {
  /** Milliseconds since 1970; 0 where an earlier version of the hub did not say. */
  readonly at: number;
  /** An operator's pause outlives renewals; one because attempts were exhausted ends with the next renewal. */
  readonly because: "operator" | "exhausted";
  /** The operator's words. */
  readonly note: string | undefined;
}

/** Where a subscription stands. */
export interface Progress {
  /** Sequence number of the last notification that was acknowledged, parked or skipped. */
  readonly cursor: number;
  readonly failing: Failing | undefined;
  readonly paused: Paused | undefined;
}

/** The right of one process to deliver to one subscription, until it is released, taken away or lapses. */
export interface Claim {
  readonly subscription: Subscription;
  readonly progress: Progress;
  /** Whether dead letters are marked to be sent again. */
  readonly resends: boolean;
  /** Grows with each claim of the subscription; a write with an older one is refused. */
  readonly fence: number;
  /** Of the log, when it was claimed: what was read in another one may not be what the log holds now. */
  readonly incarnation: string;
}

/** A move of a cursor: refused unless the claim still holds and the cursor stands at `from`. */
export interface Advance {
  readonly claim: Claim;
  readonly from: number;
  readonly to: number;
}

/** `dropped`: how many older letters went, because only so many are kept. */
type ParkOutcome = { readonly kind: "parked"; readonly dropped: number } | { readonly kind: "claim-lost" };

interface Backlog {
  /** With work to do, due, not paused, claimed by nobody: should be woken now. */
  readonly due: readonly SubscriptionId[];
  /** With work to do and waiting for their next attempt; `at` by the clock of who asks. */
  readonly waiting: readonly { readonly id: SubscriptionId; readonly at: number }[];
}

/**
 * The cursors of the subscriptions, and who may move them. A subscription has work to do where the log goes on behind its
 * cursor, or where dead letters are marked to be sent again.
 *
 * A claim lapses `delivery.takeOverAfter` after it was made or last kept, so that the subscriptions of a process that died
 * become free. Where one process owns the store, claims live in its memory and die with it.
 * Every method throws `StorageUnavailable` where the store cannot be reached; what it resolved is durable.
 */
export interface DeliveryLedger {
  /** Claims, of `ids` or of all, those with work to do, due, not paused and free. `now` in milliseconds since 1970. */
  claim(channel: ChannelId, ids: readonly SubscriptionId[] | "all", now: number): Promise<readonly Claim[]>;
  /** Moves cursors forward, which also ends `failing`; answers for each whether it moved. One round trip for all. */
  advance(channel: ChannelId, moves: readonly Advance[]): Promise<readonly boolean[]>;
  /** Records a failure and releases the claim; `false` where the claim was lost. */
  defer(claim: Claim, failing: Failing): Promise<boolean>;
  /** Moves the cursor over the notification, keeps the dead letter and at most `max` in all; the claim stays. */
  park(advance: Advance, letter: DeadLetter, max: number): Promise<ParkOutcome>;
  /** Stops delivery because attempts are exhausted, and releases the claim; `false` where it was lost. */
  pause(claim: Claim, failing: Failing): Promise<boolean>;
  /** Gives claims back; answers those that have work to do again. */
  release(channel: ChannelId, claims: readonly Claim[]): Promise<readonly SubscriptionId[]>;
  /**
   * Puts off the lapse of claims; answers those that are lost: taken over, broken, or of a subscription that ended. Of one
   * subscription there can be a lost claim beside the one that holds.
   */
  keep(channel: ChannelId, claims: readonly Claim[]): Promise<readonly Claim[]>;
  /** What a wake-up may have been lost for. */
  backlog(channel: ChannelId, now: number): Promise<Backlog>;
  progress(channel: ChannelId, id: SubscriptionId): Promise<Progress | undefined>;
  /** The lowest of the dead letters that are marked to be sent again. */
  nextResend(channel: ChannelId, id: SubscriptionId): Promise<MarkedLetter | undefined>;
  /**
   * Takes one mark away, with its letter or, where `kept` is given, leaving that in its place unless it was dropped meanwhile.
   * `false` where the claim was lost.
   */
  settleResend(claim: Claim, sequence: number, kept: DeadLetter | undefined): Promise<boolean>;
  /** Takes all marks away and leaves the letters; answers how many there were. */
  forgetResends(claim: Claim): Promise<number>;
  /** Ids of the channel's subscriptions, for lanes. */
  ids(channel: ChannelId): Promise<readonly SubscriptionId[]>;
}

/** Beside the ledger, for who came too early. */
export interface DueTimes {
  /**
   * Milliseconds until a subscription can be claimed, by the clock that decides it; `undefined` where that is no matter of time: it
   * has no work to do, is paused or claimed. Throws `StorageUnavailable`.
   */
  dueIn(channel: ChannelId, id: SubscriptionId, now: number): Promise<number | undefined>;
}

/** A claim that nobody kept lapses after this time, unless the configuration says otherwise (`delivery.takeOverAfter`). */
export const claimMilliseconds = 15_000;
