import type { Notification } from "../log/notification-log.ts";
import { type Instant, instantAt } from "../protocol/instant.ts";
import { type ReadChanges, readChanges } from "../protocol/read-changes.ts";
import type { Position } from "../protocol/position.ts";
import { earliestOf, writeChanges, type WrittenChanges } from "./change-entries.ts";
import type { OpenList } from "./closed-lists.ts";

/** What a list may hold before it is closed. */
export interface ListBounds {
  /** Entries, at most 50,000 (core 1.1 §7). */
  readonly entries: number;
  /** Milliseconds between the first and the last notification. */
  readonly period: number;
}

/** 50 MB (core 1.1 §7), less what stands around the entries. */
const mostBytes = 52_428_800 - 64_000;

/** The open list as one process has read it from the log. */
export interface GrowingList {
  readonly open: OpenList;
  /** Of the top-level rs:md. */
  from: Instant;
  /** The last notification that is in it; `open.firstSequence - 1` as long as there is none. */
  lastSequence: number;
  /** That notification's position. */
  position: Position | undefined;
  /** When its first entry and its last notification (which may have been empty) were received, in milliseconds since 1970. */
  first: number | undefined;
  last: number;
  /** When its last entry came, or it was opened, in milliseconds since 1970. */
  changedAt: number;
  /** The datetime of its last entry, or `from`. */
  datetime: Instant;
  entries: number;
  bytes: number;
  /** One text for each notification. */
  readonly written: string[];
}

export function beginList(open: OpenList): GrowingList {
  const { from, firstSequence, openedAt } = open;
  return {
    open,
    from,
    lastSequence: firstSequence - 1,
    position: undefined,
    first: undefined,
    last: openedAt,
    changedAt: openedAt,
    datetime: from,
    entries: 0,
    bytes: 0,
    written: [],
  };
}

/** Whether the list has held entries for its whole period: it is closed then, also if no other one comes. */
export function isOver({ first }: GrowingList, { period }: ListBounds, now: number): boolean {
  return first !== undefined && now - first >= period;
}

function isFull(list: GrowingList, { entries, bytes }: WrittenChanges, bounds: ListBounds): boolean {
  if (list.entries === 0) return false;
  return list.entries + entries > bounds.entries || list.bytes + bytes > mostBytes;
}

/**
 * Puts the notification at the end of the list; false, and nothing is changed, where it belongs into the next list. A
 * notification is never divided, so the first one always finds room.
 */
export function addTo(
  list: GrowingList,
  notification: Notification,
  bounds: ListBounds,
  onUnreadable: (notification: Notification) => void,
): boolean {
  const { sequence, position, receivedAt, payload } = notification;
  if (isOver(list, bounds, receivedAt)) return false;
  const read = readChanges(payload);
  if (read === undefined) onUnreadable(notification);
  const { changes, from } = read === undefined ? nothing(list) : next(list, read, notification);
  if (isFull(list, changes, bounds)) return false;
  list.from = from;
  list.datetime = changes.last;
  list.last = receivedAt;
  list.lastSequence = sequence;
  list.position = position;
  if (changes.entries === 0) return true;
  list.first ??= receivedAt;
  list.changedAt = receivedAt;
  list.entries += changes.entries;
  list.bytes += changes.bytes;
  list.written.push(changes.written);
  return true;
}

interface Next {
  readonly changes: WrittenChanges;
  readonly from: Instant;
}

function next(list: GrowingList, read: ReadChanges, notification: Notification): Next {
  const { open, lastSequence } = list;
  const isFirst = lastSequence < open.firstSequence;
  const earliest = earliestOf(read, notification);
  const from = isFirst && open.mayBeginEarlier && earliest < list.from ? earliest : list.from;
  return { from, changes: writeChanges(read, notification, isFirst ? from : list.datetime) };
}

function nothing({ datetime, from }: GrowingList): Next {
  return { from, changes: { written: "", bytes: 0, entries: 0, last: datetime } };
}

/** Where the interval of the list ends if it is closed now: at its last notification, and never before an entry. */
export function endOf({ last, datetime }: GrowingList): Instant {
  const received = instantAt(last);
  return received > datetime ? received : datetime;
}
