import { formatInstant, type Instant } from "../protocol/instant.ts";
import { writeDocument } from "../protocol/write-document.ts";
import { writeAround } from "../protocol/write-list.ts";
import type { ChangeListUrls } from "./change-list-urls.ts";
import type { ClosedList } from "./closed-lists.ts";
import type { GrowingList } from "./growing-list.ts";

/**
 * A Change List (core 1.1 §12.1), closed where `until` is given. The first list is linked to the index from the moment that it
 * is closed: that is the moment in which the index comes to be.
 */
export function writeChangeList(urls: ChangeListUrls, list: GrowingList, until: Instant | undefined): string {
  const hasIndex = until !== undefined || list.open.n > 1;
  return writeAround(
    {
      links: [
        { rel: "up", href: urls.capabilityList },
        ...(hasIndex ? [{ rel: "index", href: urls.top }] : []),
      ],
      metadata: {
        capability: "changelist",
        from: formatInstant(list.from),
        until: until && formatInstant(until),
      },
    },
    list.written,
  );
}

const closedEntry = (urls: ChangeListUrls, { n, from, until }: ClosedList) => ({
  loc: urls.list(n),
  metadata: { from: formatInstant(from), until: formatInstant(until) },
});

/** A Change List Index (core 1.1 §12.2): the closed lists, then the open one, which has no `until`. */
export function writeChangeListIndex(
  urls: ChangeListUrls,
  closed: readonly ClosedList[],
  open: GrowingList,
): string {
  const from = formatInstant(closed[0]?.from ?? open.from);
  return writeDocument({
    root: "sitemapindex",
    links: [{ rel: "up", href: urls.capabilityList }],
    metadata: { capability: "changelist", from },
    entries: [
      ...closed.map((list) => closedEntry(urls, list)),
      { loc: urls.list(open.open.n), metadata: { from: formatInstant(open.from) } },
    ],
  });
}

/** A Change List Archive (archives 0.9.1 §5): the closed lists. */
export function writeChangeListArchive(urls: ChangeListUrls, closed: readonly ClosedList[]): string {
  return writeDocument({
    links: [{ rel: "up", href: urls.capabilityList }],
    metadata: { capability: "changelist-archive" },
    entries: closed.map((list) => closedEntry(urls, list)),
  });
}
