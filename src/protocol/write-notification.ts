import { formatInstant, type Instant } from "./instant.ts";
import { writeDocument } from "./write-document.ts";

export interface ChangeToWrite {
  readonly uri: string;
  readonly change: "created" | "updated" | "deleted";
  /** When the change happened. */
  readonly datetime: Instant;
  /** Of the resource as it is now, in the attributes' own syntax (core 1.1 §7); a deleted one has none (rule CN06). */
  readonly hash?: string | undefined;
  /** Bytes. */
  readonly length?: number | undefined;
  /** Media type. */
  readonly type?: string | undefined;
}

interface ChangeNotification {
  /** The document holds every change of the set after `from` and up to `until`. */
  readonly from: Instant;
  readonly until: Instant;
  readonly capabilityListUrl: string | undefined;
  readonly changes: readonly ChangeToWrite[];
}

/** A change notification 1.0.1 §3. Changes are put in the order of time, which rule CN05 demands; equal ones stay as given. */
export function writeChangeNotification({
  from,
  until,
  capabilityListUrl,
  changes,
}: ChangeNotification): string {
  return writeDocument({
    links: capabilityListUrl === undefined ? [] : [{ rel: "up", href: capabilityListUrl }],
    metadata: {
      capability: "change-notification",
      from: formatInstant(from),
      until: formatInstant(until),
    },
    entries: changes
      .toSorted((a, b) => (a.datetime < b.datetime ? -1 : a.datetime > b.datetime ? 1 : 0))
      .map(({ uri, change, datetime, hash, length, type }) => ({
        loc: uri,
        metadata: { change, datetime: formatInstant(datetime), hash, length, type },
      })),
  });
}
