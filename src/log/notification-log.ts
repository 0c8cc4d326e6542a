import type { ChannelId } from "../channels/channel.ts";
import type { Instant } from "../protocol/instant.ts";
import type { Position } from "../protocol/position.ts";

export interface NewNotification {
  /** Exactly as received. */
  readonly payload: Buffer;
  readonly contentType: string;
  /** How a repeated document is known: SHA-256 of the payload, hexadecimal, or of what tells the document from others. */
  readonly digest: string;
  /** The interval that a change notification covers, where it says so (change notification 1.0.1 §3). */
  readonly interval: { readonly from: Instant; readonly until: Instant } | undefined;
  /** Kept beside the notification and given back, unread, with every answer about it. */
  readonly receipt: string;
  readonly idempotencyKey: string | undefined;
  /** How long, in milliseconds, the same document (or the same key) counts as a repeat. */
  readonly repeatWindow: number;
  /** Whether an interval that begins before the last one ended is refused, or only told by `previousUntil`. */
  readonly refuseOverlap: boolean;
}

export interface Notification {
  /** Counts from 1 in each channel and never skips. */
  readonly sequence: number;
  readonly position: Position;
  /** Milliseconds since 1970; never less than that of the notification before. */
  readonly receivedAt: number;
  readonly contentType: string;
  readonly payload: Buffer;
}

/** What the log answered about a notification that it holds. */
export interface Entry {
  readonly position: Position;
  readonly sequence: number;
  readonly receivedAt: number;
  /** Where the interval of the notification before it ended. */
  readonly previousUntil: Instant | undefined;
  readonly receipt: string;
}

export type AppendOutcome =
  | { readonly kind: "appended"; readonly entry: Entry }
  /** The same document, or the same key with the same document, came before: nothing was appended. */
  | { readonly kind: "repeated"; readonly entry: Entry }
  /** The key came before with another document: nothing was appended. */
  | { readonly kind: "key-reused"; readonly entry: Entry }
  /** The interval begins before the last one ended, and that was to be refused: nothing was appended. */
  | { readonly kind: "overlapping"; readonly previousUntil: Instant };

/** An incarnation of the store, and the sequence number from which its numbers are. */
export interface EpochSpan {
  readonly epoch: string;
  readonly first: number;
}

export interface LogBounds {
  /** The oldest notification that is still held; `newest + 1` where none is. */
  readonly oldest: number;
  /** 0 where nothing was ever appended. */
  readonly newest: number;
  /** Oldest first, never empty; those that end before `oldest - 1` may be missing. */
  readonly epochs: readonly EpochSpan[];
}

export interface Appended {
  readonly channel: ChannelId;
  readonly newest: number;
  /** Whether this process appended it. */
  readonly local: boolean;
}

/**
 * The spine: one durable, ordered log per channel.
 *
 * Each opening of the embedded store, and each start of a Redis server, begins a new epoch; sequence numbers go on. A
 * position is good only if the log gave its sequence number out in that epoch, so a store that came back older than it was
 * can never be mistaken for the one that a reader knew.
 *
 * Every method throws `StorageUnavailable` where the store cannot be reached.
 */
export interface NotificationLog {
  /** Resolves when the notification would survive a crash. */
  append(channel: ChannelId, notification: NewNotification): Promise<AppendOutcome>;
  /** The notifications after `after`, oldest first: at most `limit`, and no more after `maxBytes` of payload are passed. */
  read(channel: ChannelId, after: number, limit: number, maxBytes?: number): Promise<readonly Notification[]>;
  bounds(channel: ChannelId): Promise<LogBounds>;
  /** Where the intervals of the channel's notifications end, trimmed ones too; `undefined` where none had an interval. */
  lastUntil(channel: ChannelId): Promise<Instant | undefined>;
  /**
   * Calls after an append by any process; calls may be merged or, while the store is away, lost: a wake-up, not the news.
   * After a reconnection it is called once for each channel that `bounds` or `read` was asked about.
   */
  onAppend(listener: (appended: Appended) => void): () => void;
  /**
   * Calls once when no append of this process to the channel is under way any more, whatever became of them; `undefined` where none
   * is now. The answer calls it off.
   */
  whenQuiet(channel: ChannelId, act: () => void): (() => void) | undefined;
  /** Lets go of every notification before `sequence`; answers how many. */
  trimBefore(channel: ChannelId, sequence: number): Promise<number>;
  /** Proves that the store takes a write. */
  probe(): Promise<void>;
  /** What survives which crash, in a sentence for the operator. */
  describeDurability(): Promise<string>;
  close(): Promise<void>;
}

/** The store cannot be reached or did not take the write. Trying again later can help. */
export class StorageUnavailable extends Error {
  override name = "StorageUnavailable";
  readonly mayRetry = true;
}
