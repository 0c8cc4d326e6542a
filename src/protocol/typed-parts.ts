import { type Entry, entryOf, formOf } from "./sync-document.ts";
import {
  type Count,
  type Datetime,
  datetimeOf,
  type DocumentEntry,
  type DocumentHead,
  type DocumentLink,
  type Dropped,
  type Metadata,
} from "./typed-document.ts";
import { isResourceSync, type XmlElement } from "./xml-element.ts";
import { trimmed } from "./xml-names.ts";

export type DropCount = { -readonly [What in keyof Dropped]: number };

const timeNames = ["at", "completed", "from", "until", "datetime", "modified"] as const;
const textNames = ["capability", "change", "hash", "type", "encoding", "path"] as const;
const textNamesOfLinks = ["hash", "type", "encoding", "path", "profile"] as const;

/** Tells whether a name is in the list, to the compiler too. */
const oneOf = <Name extends string>(names: readonly Name[]): ((name: string) => name is Name) => {
  const set: ReadonlySet<string> = new Set(names);
  return (name): name is Name => set.has(name);
};
const isTimeName = oneOf(timeNames);
const isTextName = oneOf(textNames);
const isTextNameOfLinks = oneOf(textNamesOfLinks);

function countOf(text: string): Count {
  return /^(?:0|[1-9]\d{0,14})$/.test(text) ? Number(text) : text;
}

/** What an element has that nobody reads: everything but its own attributes, counted by whoever reads those. */
function dropContent({ text, children, foreignChildren }: XmlElement, dropped: DropCount): void {
  dropped.elements += children.length + foreignChildren;
  if (text !== "") dropped.texts += 1;
}

function metadataOf(element: XmlElement, dropped: DropCount): Metadata {
  const times: Partial<Record<(typeof timeNames)[number], Datetime>> = {};
  const texts: Partial<Record<(typeof textNames)[number], string>> = {};
  let length: Count | undefined;
  for (const { name, value } of element.attributes) {
    if (isTimeName(name)) times[name] = datetimeOf(value);
    else if (isTextName(name)) texts[name] = value;
    else if (name === "length") length = countOf(value);
    else dropped.attributes += 1;
  }
  dropContent(element, dropped);
  return length === undefined ? { ...texts, ...times } : { ...texts, ...times, length };
}

function linkOf(element: XmlElement, dropped: DropCount): DocumentLink | undefined {
  const texts: Partial<Record<(typeof textNamesOfLinks)[number], string>> = {};
  const counts: { length?: Count; pri?: Count; modified?: Datetime } = {};
  let rel: string | undefined;
  let href: string | undefined;
  let unknown = 0;
  for (const { name, value } of element.attributes) {
    if (name === "rel") rel = value;
    else if (name === "href") href = trimmed(value);
    else if (isTextNameOfLinks(name)) texts[name] = value;
    else if (name === "length" || name === "pri") counts[name] = countOf(value);
    else if (name === "modified") counts.modified = datetimeOf(value);
    else unknown += 1;
  }
  if (rel === undefined || href === undefined) {
    dropped.elements += 1;
    return undefined;
  }
  dropped.attributes += unknown;
  dropContent(element, dropped);
  return { rel, href, ...texts, ...counts };
}

function linksOf(elements: readonly XmlElement[], dropped: DropCount): DocumentLink[] {
  return elements.flatMap((element) => linkOf(element, dropped) ?? []);
}

function textOf(element: XmlElement | undefined, dropped: DropCount): string | undefined {
  if (element === undefined) return undefined;
  dropped.attributes += element.attributes.length;
  dropped.elements += element.children.length + element.foreignChildren;
  return trimmed(element.text);
}

/** `undefined`, and counted, where it names no resource, or is not what the root holds (rules C09, C04). */
export function entryOfRoot(
  element: XmlElement,
  root: XmlElement,
  dropped: DropCount,
): DocumentEntry | undefined {
  const entry: Entry = entryOf(element);
  const isIndex = root.local === "sitemapindex";
  const isRight = isIndex === (element.local === "sitemap");
  if (!isRight || entry.loc === undefined || trimmed(entry.loc.text) === "") {
    dropped.elements += 1;
    return undefined;
  }
  const kept = [entry.loc, entry.lastmod, entry.changefreq, entry.priority, entry.md];
  const others = element.children.length - entry.links.length - kept.filter(Boolean).length;
  dropped.elements += others + element.foreignChildren;
  dropped.attributes += element.attributes.length;
  if (element.text !== "") dropped.texts += 1;
  const loc = textOf(entry.loc, dropped) ?? "";
  const lastmod = textOf(entry.lastmod, dropped);
  const changefreq = textOf(entry.changefreq, dropped);
  const priority = textOf(entry.priority, dropped);
  return {
    loc,
    ...(lastmod === undefined ? {} : { lastmod: datetimeOf(lastmod) }),
    ...(changefreq === undefined ? {} : { changefreq }),
    ...(priority === undefined ? {} : { priority }),
    ...(entry.md === undefined ? {} : { metadata: metadataOf(entry.md, dropped) }),
    links: linksOf(entry.links, dropped),
  };
}

/** The root as far as it has been read, without its entries; `undefined` where it is no ResourceSync document. */
export function headOf(root: XmlElement, dropped: DropCount): DocumentHead | undefined {
  const form = formOf(root);
  if (form === undefined) return undefined;
  const md = root.children.find((child) => isResourceSync(child, "md"));
  const links = root.children.filter((child) => isResourceSync(child, "ln"));
  dropped.elements += root.children.length - links.length - (md === undefined ? 0 : 1) + root.foreignChildren;
  dropped.attributes += root.attributes.length;
  if (root.text !== "") dropped.texts += 1;
  return {
    root: form,
    ...(md === undefined ? {} : { metadata: metadataOf(md, dropped) }),
    links: linksOf(links, dropped),
  };
}
