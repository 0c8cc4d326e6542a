import { createHash } from "node:crypto";
import type { ChannelId } from "../channels/channel.ts";
import type { Instant } from "../protocol/instant.ts";
import type { ResourceState } from "./resource-state.ts";

/** What is known of one resource. */
export interface ResourceRow {
  /** Names its resource within an edition: `resourceKey` makes it of the URI. */
  readonly key: string;
  /** When the change happened that this is known by. */
  readonly changedAt: Instant;
  /** The `url` element for the list; empty where the resource was deleted. */
  readonly xml: string;
}

/** What is known of a set's Resource List; kept under the name of the set's change channel. */
export interface ResourceHead {
  /** Counts its changes. */
  readonly revision: number;
  /** How many resources the edition in force lists. */
  readonly resources: number;
  readonly state: ResourceState;
}

/**
 * Resources of sets, in editions: one for each baseline that was taken, one for each snapshot that was written. The head says
 * which are in force. Nothing moves the head but who knows its revision, so that several processes cannot undo each other's work.
 *
 * Every method throws `StorageUnavailable` where the store cannot be reached.
 */
export interface ResourceStore {
  head(channel: ChannelId): Promise<ResourceHead | undefined>;
  /** Registers an edition that is about to be filled; `now` in milliseconds since 1970. */
  begin(channel: ChannelId, edition: string, now: number): Promise<void>;
  /** Puts rows into an edition that is not in force; answers how many were not there before. */
  fill(channel: ChannelId, edition: string, rows: readonly ResourceRow[]): Promise<number>;
  /**
   * Replaces the head if it has the expected revision (0: there is none yet), and changes rows of the edition in force with it,
   * all or nothing. A row that is known by a later change stays as it is. Answers whether it was done.
   */
  change(
    channel: ChannelId,
    expected: number,
    state: ResourceState,
    rows: readonly ResourceRow[],
  ): Promise<boolean>;
  /** Puts another edition, with so many resources, in force. Answers whether the head had the expected revision. */
  replace(channel: ChannelId, expected: number, state: ResourceState, resources: number): Promise<boolean>;
  /** The `url` elements of an edition, ordered by key, some at a time; never a deleted one. */
  listed(channel: ChannelId, edition: string): AsyncIterable<readonly string[]>;
  /** One part of a written list. */
  putBlock(channel: ChannelId, edition: string, list: number, block: number, bytes: Buffer): Promise<void>;
  block(channel: ChannelId, edition: string, list: number, block: number): Promise<Buffer | undefined>;
  /** Removes the editions that were begun before `begunBefore` and are not among `kept`. */
  drop(channel: ChannelId, kept: readonly string[], begunBefore: number): Promise<void>;
}

/** LMDB takes keys of at most 1,978 bytes. */
const longestKey = 1000;

/** The URI itself, or where it is very long, its beginning and its SHA-256. */
export function resourceKey(uri: string): string {
  if (Buffer.byteLength(uri) <= longestKey) return uri;
  return `${uri.slice(0, 200)} ${createHash("sha256").update(uri).digest("hex")}`;
}
