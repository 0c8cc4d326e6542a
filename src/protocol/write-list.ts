import { type DocumentToWrite, type EntryToWrite, writeDocument } from "./write-document.ts";

const nothing = { links: [], metadata: undefined };

/** `url` elements as `writeDocument` writes them, to be put into a document later. */
export function writeEntries(entries: readonly EntryToWrite[]): string {
  if (entries.length === 0) return "";
  const document = writeDocument({ ...nothing, entries });
  return document.slice(document.indexOf("  <url>"), document.lastIndexOf("</urlset>"));
}

/** A `urlset` around what `writeEntries` gave: the same bytes as if all were written at once. */
export function writeAround(
  head: Pick<DocumentToWrite, "links" | "metadata">,
  entries: readonly string[],
): string {
  const document = writeDocument({ ...head, entries: [] });
  const end = document.lastIndexOf("</urlset>");
  return document.slice(0, end) + entries.join("") + document.slice(end);
}
