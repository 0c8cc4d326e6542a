import { XMLBuilder } from "fast-xml-parser";
import { resourceSyncNamespace, sitemapNamespace } from "./xml-names.ts";

/** Attributes in the order in which they are to stand; those without a value are left out. */
type Attributes = Readonly<Record<string, string | number | undefined>>;

export interface EntryToWrite {
  readonly loc: string;
  readonly lastmod?: string | undefined;
  readonly metadata?: Attributes | undefined;
  readonly links?: readonly Attributes[] | undefined;
}

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
});

const attributesOf = (attributes: Attributes): Record<string, string> =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) =>
      value === undefined ? [] : [[`@${name}`, String(value)]],
    ),
  );

/** A ResourceSync document (core 1.1 §7) with a declaration, in UTF-8; the same input gives the same bytes. */
export function writeDocument({ root = "urlset", links, metadata, entries }: DocumentToWrite): string {
  const content = {
    "?xml": { "@version": "1.0", "@encoding": "UTF-8" },
    [root]: {
      "@xmlns": sitemapNamespace,
      "@xmlns:rs": resourceSyncNamespace,
      "rs:ln": links.map(attributesOf),
      ...(metadata === undefined ? {} : { "rs:md": attributesOf(metadata) }),
      [root === "urlset" ? "url" : "sitemap"]: entries.map((entry) => ({
        loc: entry.loc,
        ...(entry.lastmod === undefined ? {} : { lastmod: entry.lastmod }),
        ...(entry.metadata === undefined ? {} : { "rs:md": attributesOf(entry.metadata) }),
        ...(entry.links === undefined ? {} : { "rs:ln": entry.links.map(attributesOf) }),
      })),
    },
  };
  return builder.build(content);
}
