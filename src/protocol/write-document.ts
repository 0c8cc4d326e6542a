import { XMLBuilder } from "fast-xml-parser";
import { escapeXml } from "./escape-xml.ts";
import { type Attributes, type EntryToWrite, writeEntry } from "./write-entry.ts";
import { resourceSyncNamespace, sitemapNamespace } from "./xml-names.ts";

export interface DocumentToWrite {
  /** `sitemapindex` for the index of several documents (core 1.1 §7). */
  readonly root?: "urlset" | "sitemapindex";
  readonly links: readonly Attributes[];
  /** The top-level rs:md; notification 0.8 has none. */
  readonly metadata: Attributes | undefined;
  readonly entries: readonly EntryToWrite[];
}

const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  format: true,
  indentBy: "  ",
  suppressEmptyNode: true,
  processEntities: false, // it would write line breaks in attributes as they are, and readers would see spaces
});

const attributesOf = (attributes: Attributes): Record<string, string> => {
  const written: Record<string, string> = {};
  for (const name of Object.keys(attributes)) {
    const value = attributes[name];
    if (value !== undefined) written[`@${name}`] = escapeXml(String(value));
  }
  return written;
};

/**
 * A ResourceSync document (core 1.1 §7) with a declaration, in UTF-8; the same input gives the same bytes. The order is
 * that of the sitemap schema: links and rs:md before the entries, and last in each entry. Throws `CannotBeWritten`.
 */
export function writeDocument({ root = "urlset", links, metadata, entries }: DocumentToWrite): string {
  const frame = builder.build({
    "?xml": { "@version": "1.0", "@encoding": "UTF-8" },
    [root]: {
      "@xmlns": sitemapNamespace,
      "@xmlns:rs": resourceSyncNamespace,
      "rs:ln": links.map(attributesOf),
      ...(metadata === undefined ? {} : { "rs:md": attributesOf(metadata) }),
    },
  });
  if (entries.length === 0) return frame;
  const name = root === "urlset" ? "url" : "sitemap";
  const written = entries.map((entry) => writeEntry(name, entry)).join("");
  const end = frame.lastIndexOf(`</${root}>`);
  if (end !== -1) return frame.slice(0, end) + written + frame.slice(end);
  // With nothing before the entries, the builder ended the root at once.
  return `${frame.slice(0, frame.lastIndexOf("/>"))}>\n${written}</${root}>\n`;
}
