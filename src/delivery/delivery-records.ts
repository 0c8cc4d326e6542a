import type { ChannelId } from "../channels/channel.ts";
import type { SubscriptionId } from "../subscriptions/subscription.ts";

/** `failed` is one that may be tried again, or not; `gone` is a 410, with which the subscription ended. */
export type RecordedOutcome = "delivered" | "failed" | "gone";

/** One attempt at one callback. */
export interface DeliveryRecord {
  /** When it began, in milliseconds since 1970. */
  readonly at: number;
  readonly subscription: SubscriptionId;
  readonly sequence: number;
  /** Counts from 1. */
  readonly attempt: number;
  readonly milliseconds: number;
  readonly outcome: RecordedOutcome;
  readonly status: number | undefined;
  /** Empty after a success. */
  readonly reason: string;
}

export interface RecordQuery {
  readonly subscription?: SubscriptionId | undefined;
  readonly outcome?: RecordedOutcome | undefined;
  /** Milliseconds since 1970. */
  readonly since?: number | undefined;
  readonly limit: number;
}

/**
 * One record for each attempt of the last days, successes and failures apart, so that a busy channel does not wash the
 * failures away. For people who look for what went wrong, not for counting: records are written a moment later and in batches,
 * and a crash loses the last of them.
 */
export interface DeliveryRecords {
  /** Returns at once and never throws. */
  record(channel: ChannelId, record: DeliveryRecord): void;
  /** Newest first, with those of every process. Throws `StorageUnavailable`. */
  of(channel: ChannelId, query: RecordQuery): Promise<readonly DeliveryRecord[]>;
  /** Writes what was recorded so far. */
  close(): Promise<void>;
}
