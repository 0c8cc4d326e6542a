import { escapeXml } from "./escape-xml.ts";

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

const textElement = (name: string, text: string | undefined): string => {
  if (text === undefined) return "";
  return text === "" ? `    <${name}/>\n` : `    <${name}>${escapeXml(text)}</${name}>\n`;
};

function emptyElement(name: string, attributes: Attributes): string {
  let written = `    <${name}`;
  for (const attribute of Object.keys(attributes)) {
    const value = attributes[attribute];
    if (value !== undefined) written += ` ${attribute}="${escapeXml(String(value))}"`;
  }
  return `${written}/>\n`;
}

/**
 * A `url` or `sitemap` as it stands in the root, indented and in the order of the sitemap schema. Lists have up to 50,000 of them
 * and grow with every notification, so they are written without a builder's detours. Throws `CannotBeWritten`.
 */
export function writeEntry(name: "url" | "sitemap", entry: EntryToWrite): string {
  const { loc, lastmod, changefreq, priority, metadata, links = [] } = entry;
  const texts =
    textElement("loc", loc) +
    textElement("lastmod", lastmod) +
    textElement("changefreq", changefreq) +
    textElement("priority", priority);
  const described = metadata === undefined ? "" : emptyElement("rs:md", metadata);
  const linked = links.map((link) => emptyElement("rs:ln", link)).join("");
  return `  <${name}>\n${texts}${described}${linked}  </${name}>\n`;
}
