import { type Instant, parseInstant } from "./instant.ts";
import { defaultLimits } from "./reading-limits.ts";
import { readXml } from "./read-xml.ts";
import { instantOf } from "./rules-of-times.ts";
import { type Entry, syncDocumentOf } from "./sync-document.ts";
import { attributeOf } from "./xml-element.ts";
import { trimmed } from "./xml-names.ts";

export interface ToldChange {
  readonly entry: Entry;
  readonly change: string;
  /** When the change happened, where the entry says so. */
  readonly at: Instant | undefined;
}

export interface ReadNotification {
  /** The interval of the top-level rs:md, as far as it is there. */
  readonly from: Instant | undefined;
  readonly until: Instant | undefined;
  /** In document order, which is that of time. */
  readonly changes: readonly ToldChange[];
}

/** A change notification that was found valid when it was published. `undefined` where it cannot be read after all. */
export function readNotification(payload: Buffer): ReadNotification | undefined {
  const reading = readXml(payload.toString("utf8"), defaultLimits);
  if (reading.kind === "refused") return undefined;
  const { md: top, entries } = syncDocumentOf(reading.document);
  // Notification 0.8 §4 has no datetime: there lastmod is when the change happened.
  const changedAt = ({ datetime, lastmod }: Entry): Instant | undefined =>
    datetime ?? (top === undefined ? parseInstant(trimmed(lastmod?.text ?? "")) : undefined);
  return {
    from: instantOf(top, "from"),
    until: instantOf(top, "until"),
    changes: entries.flatMap((entry): ToldChange[] => {
      const change = entry.md === undefined ? undefined : attributeOf(entry.md, "change");
      return change === undefined ? [] : [{ entry, change, at: changedAt(entry) }];
    }),
  };
}
