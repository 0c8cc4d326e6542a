import { SaxesParser, type SaxesTagNS } from "saxes";
import type { EmbeddedLink } from "./discovered-links.ts";
import { entities } from "./read-xml.ts";

const atomNamespace = "http://www.w3.org/2005/Atom";
const xmlNamespace = "http://www.w3.org/XML/1998/namespace";

/** Links stand at the beginning of a feed, in front of its entries: what a long one costs is bounded. Characters. */
const maxScanned = 1_000_000;
/** saxes takes quadratic time for deep nesting. */
const maxDepth = 64;
const maxAttributes = 64;
const maxLinks = 100;

/** Ends the reading; what was found before it stands. */
class EnoughRead extends Error {}

interface OpenElement {
  readonly local: string;
  /** `xml:base`, resolved. */
  readonly base: string;
}

/**
 * The `atom:link` elements of a feed itself, not those of its entries: below the root, or below the `channel` of RSS
 * (WebSub §4). Takes what is not well-formed as far as it goes, for feeds often are not.
 */
export function readFeedLinks(text: string, url: string): readonly EmbeddedLink[] {
  const parser = new SaxesParser({ xmlns: true, position: false });
  parser.ENTITIES = entities;
  const open: OpenElement[] = [];
  const links: EmbeddedLink[] = [];
  const stop = (): never => {
    throw new EnoughRead();
  };

  let attributes = 0;
  parser.on("attribute", () => {
    attributes += 1;
    if (attributes > maxAttributes) stop();
  });
  parser.on("opentag", (tag) => {
    attributes = 0;
    if (open.length >= maxDepth) stop();
    const base = baseOf(tag, open.at(-1)?.base ?? url);
    const [root, channel, ...more] = open;
    const isOfFeed = root !== undefined && more.length === 0 && (channel?.local ?? "channel") === "channel";
    if (isOfFeed && tag.uri === atomNamespace && tag.local === "link") {
      const { href, rel } = tag.attributes;
      if (href !== undefined) links.push({ href: href.value.trim(), rels: relsOf(rel?.value), base });
      if (links.length >= maxLinks) stop();
    }
    open.push({ local: tag.local, base });
  });
  parser.on("closetag", () => void open.pop());
  parser.on("error", stop);
  try {
    parser.write(text.slice(0, maxScanned)).close();
  } catch (error) {
    if (!(error instanceof EnoughRead)) throw error;
  }
  return links;
}

function baseOf({ attributes }: SaxesTagNS, outer: string): string {
  for (const { local, uri, value } of Object.values(attributes)) {
    if (uri === xmlNamespace && local === "base" && URL.canParse(value, outer))
      return new URL(value, outer).href;
  }
  return outer;
}

/** A relation type is case-insensitive (RFC 8288 §2.1.1). */
function relsOf(rel = ""): readonly string[] {
  return rel.toLowerCase().split(/\s+/).filter(Boolean);
}
