import type { Entry } from "./sync-document.ts";
import type { XmlElement } from "./xml-element.ts";
import { trimmed } from "./xml-names.ts";

/** What a Resource List tells of one resource. */
export interface ListedResource {
  readonly uri: string;
  /** Its `url` element, as it stands in a list that this hub writes. */
  readonly xml: string;
  /** What it stands in; the entries of an index name lists. */
  readonly within: "urlset" | "sitemapindex";
}

const escapes: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
};
const escape = (text: string): string => text.replaceAll(/[&<>"\t\n\r]/g, (found) => escapes[found] ?? "");

/** What a Resource List says of the representation (ResourceSync 1.1 §10.1); `change` and `datetime` are of changes. */
const ofMetadata = new Set(["hash", "length", "type", "encoding"]);
const ofLinks = new Set(["rel", "href", "hash", "length", "type", "encoding", "modified", "pri"]);

function attributes({ attributes: all }: XmlElement, taken: ReadonlySet<string>): string {
  return all
    .filter(({ name }) => taken.has(name))
    .map(({ name, value }) => ` ${name}="${escape(value)}"`)
    .join("");
}

function textOf(name: string, element: XmlElement | undefined): string {
  return element === undefined ? "" : `    <${name}>${escape(trimmed(element.text))}</${name}>\n`;
}

/** The entry of a Resource List, or of a change in as far as it tells how the resource is now. `undefined` without a loc. */
export function listedResource(entry: Entry): ListedResource | undefined {
  const { loc, lastmod, changefreq, md, links } = entry;
  const uri = loc === undefined ? "" : trimmed(loc.text);
  if (uri === "") return undefined;
  const metadata = md === undefined ? "" : attributes(md, ofMetadata);
  const xml = [
    `  <url>\n    <loc>${escape(uri)}</loc>\n`,
    textOf("lastmod", lastmod),
    textOf("changefreq", changefreq),
    metadata === "" ? "" : `    <rs:md${metadata}/>\n`,
    ...links.map((link) => `    <rs:ln${attributes(link, ofLinks)}/>\n`),
    "  </url>\n",
  ].join("");
  return { uri, xml, within: entry.element.local === "sitemap" ? "sitemapindex" : "urlset" };
}
