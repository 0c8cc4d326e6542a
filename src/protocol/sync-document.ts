import { type Instant, parseInstant } from "./instant.ts";
import { attributeOf, isResourceSync, type XmlElement } from "./xml-element.ts";
import type { XmlDocument } from "./read-xml.ts";

/** A `url` or `sitemap`: what the rules look at, by name; the first where there are several. */
export interface Entry {
  readonly element: XmlElement;
  readonly loc: XmlElement | undefined;
  readonly lastmod: XmlElement | undefined;
  readonly changefreq: XmlElement | undefined;
  readonly priority: XmlElement | undefined;
  readonly md: XmlElement | undefined;
  readonly links: readonly XmlElement[];
  /** Further elements of those that an entry has once. */
  readonly surplus: readonly XmlElement[];
  /** When the change happened; `undefined` too where `datetime` is none (V04). */
  readonly datetime: Instant | undefined;
}

/** A ResourceSync document of any type (ResourceSync 1.1 §7), as far as it can be made out. */
export interface SyncDocument extends XmlDocument {
  readonly form: "urlset" | "sitemapindex" | undefined;
  /** The top-level rs:md; the first, where C02 is broken. */
  readonly md: XmlElement | undefined;
  /** The top-level rs:ln. */
  readonly links: readonly XmlElement[];
  readonly entries: readonly Entry[];
}

const none: readonly never[] = [];

function fieldOf({
  vocabulary,
  local,
}: XmlElement): "loc" | "lastmod" | "changefreq" | "priority" | "md" | undefined {
  if (vocabulary === "resourcesync") return local === "md" ? local : undefined;
  if (vocabulary !== "sitemap") return undefined;
  return local === "loc" || local === "lastmod" || local === "changefreq" || local === "priority"
    ? local
    : undefined;
}

export function entryOf(element: XmlElement): Entry {
  const first: Record<NonNullable<ReturnType<typeof fieldOf>>, XmlElement | undefined> = {
    loc: undefined,
    lastmod: undefined,
    changefreq: undefined,
    priority: undefined,
    md: undefined,
  };
  let links: XmlElement[] | undefined;
  let surplus: XmlElement[] | undefined;
  for (const child of element.children) {
    const field = fieldOf(child);
    if (field === undefined) {
      if (isResourceSync(child, "ln")) (links ??= []).push(child);
    } else if (first[field] === undefined) first[field] = child;
    else (surplus ??= []).push(child);
  }
  const { loc, lastmod, changefreq, priority, md } = first;
  const datetime = md === undefined ? undefined : attributeOf(md, "datetime");
  return {
    element,
    loc,
    lastmod,
    changefreq,
    priority,
    md,
    links: links ?? none,
    surplus: surplus ?? none,
    datetime: datetime === undefined ? undefined : parseInstant(datetime),
  };
}

export function formOf({ vocabulary, local }: XmlElement): SyncDocument["form"] {
  if (vocabulary !== "sitemap") return undefined;
  return local === "urlset" || local === "sitemapindex" ? local : undefined;
}

export function syncDocumentOf(document: XmlDocument): SyncDocument {
  const { root } = document;
  const form = formOf(root);
  const entryName = form === "sitemapindex" ? "sitemap" : "url";
  return {
    ...document,
    form,
    md: root.children.find((child) => isResourceSync(child, "md")),
    links: root.children.filter((child) => isResourceSync(child, "ln")),
    entries: root.children
      .filter(({ vocabulary, local }) => vocabulary === "sitemap" && local === entryName)
      .map(entryOf),
  };
}
