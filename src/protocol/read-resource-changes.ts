import { type Instant, parseInstant } from "./instant.ts";
import { defaultLimits } from "./reading-limits.ts";
import { readXml } from "./read-xml.ts";
import { listedResource } from "./resource-entry.ts";
import { instantOf } from "./rules-of-times.ts";
import { syncDocumentOf } from "./sync-document.ts";
import { attributeOf } from "./xml-element.ts";

/** One change, as a change notification tells it. */
interface ToldChange {
  readonly uri: string;
  /** When the resource changed; `undefined` where the notification does not say. */
  readonly datetime: Instant | undefined;
  /** The `url` element of the resource as it is now; `undefined` where it was deleted. */
  readonly xml: string | undefined;
}

export interface ToldChanges {
  readonly interval: { readonly from: Instant; readonly until: Instant } | undefined;
  /** In the order of the document, which is that of time. */
  readonly changes: readonly ToldChange[];
}

/** Reads a change notification that was judged before it was put into the log; nothing, where it cannot be read after all. */
export function readResourceChanges(payload: Buffer): ToldChanges {
  const reading = readXml(payload.toString("utf8"), defaultLimits);
  if (reading.kind === "refused") return { interval: undefined, changes: [] };
  const { md: top, entries } = syncDocumentOf(reading.document);
  const [from, until] = [instantOf(top, "from"), instantOf(top, "until")];
  const changes = entries.flatMap((entry): ToldChange[] => {
    const resource = listedResource(entry);
    const change = entry.md === undefined ? undefined : attributeOf(entry.md, "change");
    if (resource === undefined || change === undefined) return [];
    // Notification 0.8 §4 has no datetime: there lastmod is when the change happened.
    const lastmod = top === undefined ? parseInstant(entry.lastmod?.text ?? "") : undefined;
    const datetime = entry.datetime ?? lastmod;
    return [{ uri: resource.uri, datetime, xml: change === "deleted" ? undefined : resource.xml }];
  });
  return { interval: from === undefined || until === undefined ? undefined : { from, until }, changes };
}
