import { formatInstant, type Instant, instantAt, later } from "../protocol/instant.ts";
import { writeDocument } from "../protocol/write-document.ts";
import { type NewChange, reachedWith } from "./new-changes.ts";

interface ToWrite {
  /** In the order of time, at least one. */
  readonly changes: readonly NewChange[];
  /** Where the notification before it ended; `undefined` for the first one of the channel. */
  readonly lastUntil: Instant | undefined;
  /** No interval claims what was before it (WatchMark). */
  readonly since: Instant;
  /** Milliseconds since 1970. */
  readonly fetchedAt: number;
  readonly capabilityListUrl: string;
}

const earlier = (one: Instant, other: Instant): Instant => (one < other ? one : other);

/** Table 3 of core 1.1 §7 has these for what still is; rule CN06. */
function representationOf({ change, representation }: NewChange): NewChange["representation"] {
  return change === "deleted" ? {} : representation;
}

/**
 * A change notification 1.0.1 that adjoins the one before. It ends with the latest change in it: the Source may have made later
 * ones that its list did not show yet. A change that the Source listed late, or dated in the future, is dated to the end
 * of the interval that is nearer, as in the hub's Change Lists (docs/decisions/0020).
 */
export function writeWatched({ changes, lastUntil, since, fetchedAt, capabilityListUrl }: ToWrite): Buffer {
  const from = lastUntil === undefined ? since : later(lastUntil, since);
  const until = reachedWith(from, changes, fetchedAt);
  const document = writeDocument({
    links: [{ rel: "up", href: capabilityListUrl }],
    metadata: { capability: "change-notification", from: formatInstant(from), until: formatInstant(until) },
    entries: changes.map((each) => ({
      loc: each.uri,
      lastmod: each.lastmod,
      metadata: {
        change: each.change,
        datetime: formatInstant(earlier(later(each.at ?? instantAt(fetchedAt), from), until)),
        ...representationOf(each),
      },
      links: each.links,
    })),
  });
  return Buffer.from(document);
}
