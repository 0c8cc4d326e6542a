import { type DocumentToWrite, writeDocument } from "./write-document.ts";
import { type EntryToWrite, writeEntry } from "./write-entry.ts";

/** `url` elements as `writeDocument` writes them, to be put into a document later. */
export function writeEntries(entries: readonly EntryToWrite[]): string {
  return entries.map((entry) => writeEntry("url", entry)).join("");
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
