import type { DocumentTypeName } from "./document-type-name.ts";
import { type Instant, parseInstant } from "./instant.ts";

/** A point in time as the document writes it. */
export interface Datetime {
  readonly text: string;
  /** Sorts in time as a string; absent where the text is no W3C Datetime (rule V04). */
  readonly instant?: Instant;
}

export function datetimeOf(text: string): Datetime {
  const instant = parseInstant(text);
  return instant === undefined ? { text } : { text, instant };
}

/** A number where the text is one in its shortest form, else the text as it was written. */
export type Count = number | string;

/** The attributes of rs:md (core 1.1 §7, table 3). In a valid document the top-level one has the first five only. */
export interface Metadata {
  readonly capability?: string;
  readonly at?: Datetime;
  readonly completed?: Datetime;
  readonly from?: Datetime;
  readonly until?: Datetime;
  /** `created`, `updated` or `deleted` in a valid document. */
  readonly change?: string;
  /** When the change happened. */
  readonly datetime?: Datetime;
  /** One or more of `algorithm:digest`, separated by white space. */
  readonly hash?: string;
  /** Bytes. */
  readonly length?: Count;
  /** Media type. */
  readonly type?: string;
  /** Content coding, such as gzip. */
  readonly encoding?: string;
  readonly modified?: Datetime;
  /** In a package, from its root. */
  readonly path?: string;
}

/** An rs:ln (core 1.1 §7, table 3). */
export interface DocumentLink {
  readonly rel: string;
  readonly href: string;
  readonly hash?: string;
  /** Bytes. */
  readonly length?: Count;
  /** Media type. */
  readonly type?: string;
  readonly encoding?: string;
  readonly modified?: Datetime;
  readonly path?: string;
  /** 1 to 999,999; the lower one is preferred. */
  readonly pri?: Count;
  /** In the schema since 2023: what a media type leaves open. */
  readonly profile?: string;
}

/** A `url`, or a `sitemap` of an index. */
export interface DocumentEntry {
  readonly loc: string;
  readonly lastmod?: Datetime;
  readonly changefreq?: string;
  /** 0.0 to 1.0. */
  readonly priority?: string;
  readonly metadata?: Metadata;
  readonly links: readonly DocumentLink[];
}

export type RootName = "urlset" | "sitemapindex";

/** What stands before the entries. */
export interface DocumentHead {
  readonly root: RootName;
  /** The top-level rs:md; notification 0.8 has none. */
  readonly metadata?: Metadata;
  readonly links: readonly DocumentLink[];
}

/** `other`: a sitemap without a capability, or with one that no ResourceSync text defines. */
export type TypeName = DocumentTypeName | "other";
export type IndexTypeName = Extract<TypeName, `${string}-index`>;

export interface IndexDocument extends DocumentHead {
  readonly type: IndexTypeName;
  readonly root: "sitemapindex";
  readonly entries: readonly DocumentEntry[];
}

export interface PlainDocument extends DocumentHead {
  /** A wrong root of a manifest or a notification is kept as it is (rules V03, CN01, FN01). */
  readonly type: Exclude<TypeName, IndexTypeName>;
  readonly entries: readonly DocumentEntry[];
}

/** A ResourceSync document of any type; `type` tells which. */
export type TypedDocument = IndexDocument | PlainDocument;

/** What reading leaves out. A dropped element counts once, with all that is in it. */
export interface Dropped {
  /** Of foreign namespaces, unknown ones, repeated ones, entries without loc, links without rel or href. */
  readonly elements: number;
  /** With a prefix, unknown ones, and those of elements that have none. */
  readonly attributes: number;
  /** Text between elements. */
  readonly texts: number;
}
