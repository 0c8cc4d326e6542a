import { readFeedLinks } from "./feed-links.ts";
import { readHeadLinks } from "./html-head-links.ts";
import { parseHttpUrl } from "./http-url.ts";
import { parseLinkHeader } from "./link-header.ts";

/** A link in a document, before it is resolved. */
export interface EmbeddedLink {
  readonly href: string;
  readonly rels: readonly string[];
  /** What a relative `href` is resolved against. */
  readonly base: string;
}

/** What a publisher says of a topic: its canonical URL and its hubs (WebSub §4). */
export interface DiscoveredLinks {
  readonly self: string | undefined;
  readonly hubs: readonly string[];
}

export interface FetchedDocument {
  /** From which the document came, after redirects. */
  readonly url: string;
  /** The value of the `Link` header; repeated fields are joined by a comma. */
  readonly linkHeader: string | undefined;
  readonly contentType: string;
  readonly body: Buffer;
}

const maxHubs = 20;

/**
 * Looks at the `Link` headers first, and for what they leave out at the links in the document, as subscribers do (WebSub
 * §4). An absolute URL stays as the publisher wrote it.
 */
export function discoverLinks(document: FetchedDocument): DiscoveredLinks {
  const { url, linkHeader } = document;
  // A link with an anchor starts from another resource (RFC 8288 §3.2).
  const ofHeader = parseLinkHeader(linkHeader === undefined ? [] : [linkHeader])
    .filter(({ anchor }) => anchor === undefined)
    .map(({ href, rels }) => ({ href, rels, base: url }));
  const told = linksOf(ofHeader);
  if (told.self !== undefined && told.hubs.length > 0) return told;
  const embedded = linksOf(embeddedLinks(document));
  return { self: told.self ?? embedded.self, hubs: told.hubs.length > 0 ? told.hubs : embedded.hubs };
}

function linksOf(links: readonly EmbeddedLink[]): DiscoveredLinks {
  const targets = (rel: string) =>
    links.filter(({ rels }) => rels.includes(rel)).flatMap((link) => absolute(link) ?? []);
  return { self: targets("self")[0], hubs: [...new Set(targets("hub"))].slice(0, maxHubs) };
}

function absolute({ href, base }: EmbeddedLink): string | undefined {
  if (!("fault" in parseHttpUrl(href))) return href;
  if (!URL.canParse(href, base)) return undefined;
  const resolved = new URL(href, base).href;
  return "fault" in parseHttpUrl(resolved) ? undefined : resolved;
}

function embeddedLinks({ url, contentType, body }: FetchedDocument): readonly EmbeddedLink[] {
  const mediaType = (contentType.split(";")[0] ?? "").trim().toLowerCase();
  if (mediaType === "text/html" || mediaType === "application/xhtml+xml") {
    return readHeadLinks(textOf(body, contentType), url);
  }
  if (/^(?:application|text)\/xml$|\+xml$/.test(mediaType)) {
    return readFeedLinks(textOf(body, contentType), url);
  }
  return [];
}

/** By the byte order mark, the declared charset, or as UTF-8: all that links need. */
function textOf(body: Buffer, contentType: string): string {
  const [, declared = "utf-8"] = /;\s*charset\s*=\s*"?([\w:.-]{1,40})/i.exec(contentType) ?? [];
  const marked = body[0] === 0xff && body[1] === 0xfe ? "utf-16le" : undefined;
  const label = marked ?? (body[0] === 0xfe && body[1] === 0xff ? "utf-16be" : declared);
  try {
    return new TextDecoder(label).decode(body);
  } catch {
    return body.toString("utf8");
  }
}
