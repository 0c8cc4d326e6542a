import type { Notification } from "../log/notification-log.ts";
import { formatInstant, type Instant, instantAt } from "../protocol/instant.ts";
import type { ReadChange, ReadChanges } from "../protocol/read-changes.ts";
import type { EntryToWrite } from "../protocol/write-entry.ts";
import { writeEntries } from "../protocol/write-list.ts";

/** What one notification puts into a Change List. */
export interface WrittenChanges {
  readonly written: string;
  readonly bytes: number;
  readonly entries: number;
  /** The datetime of its last entry; that of the entry before it where it has none. */
  readonly last: Instant;
}

const earlier = (a: Instant, b: Instant): Instant => (a < b ? a : b);
const later = (a: Instant, b: Instant): Instant => (a > b ? a : b);

/** When each change happened, as far as the Source says it. */
function timeOf({ at }: ReadChange, { until }: ReadChanges, received: Instant): Instant {
  return at ?? until ?? received;
}

/** The earliest moment that the notification speaks of, never after it was received. */
export function earliestOf(read: ReadChanges, { receivedAt }: Notification): Instant {
  const received = instantAt(receivedAt);
  const times = [read.from ?? received, ...read.changes.map((change) => timeOf(change, read, received))];
  return times.reduce(earlier, received);
}

/**
 * The entries of a notification as they follow `previous`, the datetime of the entry before. No entry is dated before that,
 * so that the list runs forward (rule T12) and nobody who reads on from there misses what a Source sent late; and none after
 * the hub received it, so that a Source's fast clock does not drag all that follows into the future.
 */
export function writeChanges(
  read: ReadChanges,
  { receivedAt }: Notification,
  previous: Instant,
): WrittenChanges {
  const received = later(instantAt(receivedAt), previous);
  let last = previous;
  const entries = read.changes.map((change): EntryToWrite => {
    last = later(last, earlier(timeOf(change, read, received), received));
    const { uri, lastmod, representation, links } = change;
    return {
      loc: uri,
      lastmod,
      metadata: { change: change.change, datetime: formatInstant(last), ...representation },
      links,
    };
  });
  const written = writeEntries(entries);
  return { written, bytes: Buffer.byteLength(written), entries: entries.length, last };
}
