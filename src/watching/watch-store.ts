import type { ChannelId } from "../channels/channel.ts";
import type { Instant } from "../protocol/instant.ts";
import type { Validators } from "./change-list-intake.ts";

export interface KnownDocument extends Validators {
  readonly url: string;
}

/** How far a set's Change Lists were taken. */
export interface WatchMark {
  /** The list or index that is watched; what pings bring does not change it. */
  readonly url: string;
  /** Where the next notification's interval begins at the earliest: before it there may be changes that nobody published. */
  readonly since: Instant;
  /** The latest change that was taken, never later than when its list was fetched. */
  readonly reached: Instant;
  /** Seconds since 1970: what happened then or before counts as known, although its digest was let go. */
  readonly floor: number;
  /** Milliseconds since 1970: of the last document that was read to its end, or found unchanged. */
  readonly readAt: number;
  /** The newest last. */
  readonly documents: readonly KnownDocument[];
}

/** A notification on its way into the log. */
export interface PendingNotification {
  readonly key: string;
  readonly payload: Buffer;
  /** The log's newest sequence number before it. */
  readonly after: number;
  /** The changes in it, packed (seen-changes.ts), and what the mark reaches with them. */
  readonly seen: Buffer;
  readonly reached: Instant;
}

export interface KeptWatch {
  /** Counts its changes. */
  readonly revision: number;
  readonly mark: WatchMark;
  /** Digests of the changes that are known, packed. */
  readonly seen: Buffer;
  readonly pending: PendingNotification | undefined;
}

interface WatchChange {
  readonly mark: WatchMark;
  /** Left out: as it was. */
  readonly seen?: Buffer;
  readonly pending: PendingNotification | undefined;
}

/** When a set's list was looked at, and when it is to be looked at again. Times in milliseconds since 1970. */
export interface WatchSchedule {
  readonly url: string;
  readonly lastLookedAt: number;
  readonly nextLookAt: number;
  /** `null` where nothing was ever taken; so too of the reason where the last look went well. */
  readonly lastChangeAt: number | null;
  /** Milliseconds. */
  readonly interval: number;
  readonly failing: string | null;
}

/**
 * What is known of the Change Lists that sets are watched by, under the name of the set's change channel. Nothing moves a mark but
 * who knows its revision, so that several processes cannot publish the same change twice.
 *
 * Every method throws `StorageUnavailable` where the store cannot be reached.
 */
export interface WatchStore {
  /** `undefined` before the first look. */
  read(channel: ChannelId): Promise<KeptWatch | undefined>;
  /** Answers whether what is known had the expected revision (0: nothing is known yet) and was changed, durably. */
  change(channel: ChannelId, expected: number, next: WatchChange): Promise<boolean>;
  schedule(channel: ChannelId): Promise<WatchSchedule | undefined>;
  /** Answers whether `holder` may look, until the claim lapses; claiming again keeps the claim. Times in milliseconds. */
  claim(channel: ChannelId, holder: string, now: number, lapse: number): Promise<boolean>;
  /** Gives the claim back, if it is still held. */
  release(channel: ChannelId, holder: string): Promise<void>;
  /** Puts the schedule, and gives the claim back, if it is still held. */
  conclude(channel: ChannelId, holder: string, schedule: WatchSchedule): Promise<void>;
}
