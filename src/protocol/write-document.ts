import { XMLBuilder } from "fast-xml-parser";
import { resourceSyncNamespace, sitemapNamespace } from "./xml-names.ts";

/** Attributes in the order in which they are to stand; those without a value are left out. */
export type Attributes = Readonly<Record<string, string | number | undefined>>;

export interface EntryToWrite {
  readonly loc: string;
  readonly lastmod?: string | undefined;
  readonly changefreq?: string | undefined;
  readonly priority?: string | undefined;
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

/** A value has a character that XML has no way to write (XML 1.0 §2.2). */
export class CannotBeWritten extends Error {
  override name = "CannotBeWritten";
  readonly mayRetry = false;
}

const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  format: true,
  indentBy: "  ",
  suppressEmptyNode: true,
  processEntities: false, // it would write line breaks in attributes as they are, and readers would see spaces
});

// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udfff]/u;
const special = /[&<>"'\t\n\r]/g;
const references: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
};

function escaped(text: string): string {
  const bad = unwritable.exec(text)?.[0];
  if (bad === undefined) return text.replace(special, (character) => references[character] ?? character);
  const code = bad.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  throw new CannotBeWritten(
    `U+${code} in ${JSON.stringify(text.slice(0, 80))} cannot stand in XML; remove it`,
  );
}

const attributesOf = (attributes: Attributes): Record<string, string> => {
  const written: Record<string, string> = {};
  for (const name of Object.keys(attributes)) {
    const value = attributes[name];
    if (value !== undefined) written[`@${name}`] = escaped(String(value));
  }
  return written;
};

const textsOf = ({ lastmod, changefreq, priority }: EntryToWrite): Record<string, string> => ({
  ...(lastmod === undefined ? {} : { lastmod: escaped(lastmod) }),
  ...(changefreq === undefined ? {} : { changefreq: escaped(changefreq) }),
  ...(priority === undefined ? {} : { priority: escaped(priority) }),
});

/**
 * A ResourceSync document (core 1.1 §7) with a declaration, in UTF-8; the same input gives the same bytes. The order is
 * that of the sitemap schema: links and rs:md before the entries, and last in each entry. Throws `CannotBeWritten`.
 */
export function writeDocument({ root = "urlset", links, metadata, entries }: DocumentToWrite): string {
  const content = {
    "?xml": { "@version": "1.0", "@encoding": "UTF-8" },
    [root]: {
      "@xmlns": sitemapNamespace,
      "@xmlns:rs": resourceSyncNamespace,
      "rs:ln": links.map(attributesOf),
      ...(metadata === undefined ? {} : { "rs:md": attributesOf(metadata) }),
      [root === "urlset" ? "url" : "sitemap"]: entries.map((entry) => ({
        loc: escaped(entry.loc),
        ...textsOf(entry),
        ...(entry.metadata === undefined ? {} : { "rs:md": attributesOf(entry.metadata) }),
        ...(entry.links === undefined ? {} : { "rs:ln": entry.links.map(attributesOf) }),
      })),
    },
  };
  return builder.build(content);
}
