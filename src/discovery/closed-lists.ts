import type { ChannelId } from "../channels/channel.ts";
import type { Instant } from "../protocol/instant.ts";

/** A Change List that is closed: its bytes never change again (core 1.1 §12.1). */
export interface ClosedList {
  /** Counts from 1 in each channel; the open list has the number after the last closed one. */
  readonly n: number;
  /** Which notifications of the log it holds, both ends included. */
  readonly firstSequence: number;
  readonly lastSequence: number;
  readonly from: Instant;
  readonly until: Instant;
  readonly entries: number;
  /** Of the document, not compressed. */
  readonly bytes: number;
  /** SHA-256 of the document, not compressed, base64url. */
  readonly digest: string;
  /** Milliseconds since 1970. */
  readonly closedAt: number;
}

/** Where the open list begins. What it holds is read from the log. */
export interface OpenList {
  readonly n: number;
  /** The sequence number of the first notification that is, or will be, in it. */
  readonly firstSequence: number;
  readonly from: Instant;
  /** Whether the first notification may say that the list goes back further than `from`: nothing was before it. */
  readonly mayBeginEarlier: boolean;
  /** Milliseconds since 1970. */
  readonly openedAt: number;
}

export interface ListsOfChannel {
  readonly open: OpenList;
  /** When a list was last opened, closed or dropped, in milliseconds since 1970. */
  readonly changedAt: number;
  /** The last list whose closing was announced; 0 for none. */
  readonly announced: number;
}

export interface ClosedDocument {
  readonly list: ClosedList;
  readonly gzipped: Buffer;
}

/**
 * The Change Lists of each channel: the closed ones whole, so that they outlive the log, and where the open one begins.
 *
 * Every method throws `StorageUnavailable` where the store cannot be reached.
 */
export interface ClosedLists {
  /** `undefined` before the first list was opened. */
  state(channel: ChannelId): Promise<ListsOfChannel | undefined>;
  /**
   * Opens `next` in the place of `before` (`undefined`: of none), and keeps `closed`, all or nothing. False where another
   * process was faster: then nothing changed.
   */
  open(
    channel: ChannelId,
    next: OpenList,
    before: Pick<OpenList, "n" | "firstSequence"> | undefined,
    closed?: ClosedDocument,
  ): Promise<boolean>;
  /** Oldest first. */
  list(channel: ChannelId): Promise<readonly ClosedList[]>;
  read(channel: ChannelId, n: number): Promise<ClosedDocument | undefined>;
  /** Remembers that the closing of the lists up to `n` was announced. */
  markAnnounced(channel: ChannelId, n: number): Promise<void>;
  /** Lets go of the closed lists up to `n`; answers how many. `at` in milliseconds since 1970. */
  drop(channel: ChannelId, n: number, at: number): Promise<number>;
}
