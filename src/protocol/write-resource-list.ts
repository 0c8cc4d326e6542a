import { formatInstant, type Instant } from "./instant.ts";
import { writeDocument } from "./write-document.ts";

/** The snapshot that a list is of (ResourceSync 1.1 §7). */
export interface SnapshotTimes {
  /** Every change up to this instant is in the list. */
  readonly at: Instant;
  /** No change after this instant is. */
  readonly completed: Instant;
}

interface ListPlace {
  readonly capabilityListUrl: string;
  /** Where the list is one of several. */
  readonly indexUrl: string | undefined;
}

/** What stands before and after the entries of a Resource List (ResourceSync 1.1 §10.1). */
export function resourceListFrame(
  { capabilityListUrl, indexUrl }: ListPlace,
  { at, completed }: SnapshotTimes,
): { readonly before: string; readonly after: string } {
  const empty = writeDocument({
    links: [
      { rel: "up", href: capabilityListUrl },
      ...(indexUrl === undefined ? [] : [{ rel: "index", href: indexUrl }]),
    ],
    metadata: {
      capability: "resourcelist",
      at: formatInstant(at),
      completed: formatInstant(completed),
    },
    entries: [],
  });
  const end = empty.lastIndexOf("</urlset>");
  return { before: empty.slice(0, end), after: empty.slice(end) };
}

/** A Resource List Index (ResourceSync 1.1 §10.2); its lists are of the same snapshot. */
export function writeResourceListIndex(
  capabilityListUrl: string,
  { at, completed }: SnapshotTimes,
  listUrls: readonly string[],
): string {
  const times = { at: formatInstant(at), completed: formatInstant(completed) };
  return writeDocument({
    root: "sitemapindex",
    links: [{ rel: "up", href: capabilityListUrl }],
    metadata: { capability: "resourcelist", ...times },
    entries: listUrls.map((loc) => ({ loc, metadata: times })),
  });
}
