import type { EmbeddedLink } from "./discovered-links.ts";
import { type HtmlTag, readHtmlTag } from "./html-tag.ts";

/** A head is short; a page may be long. Characters. */
const maxScanned = 1_000_000;
const maxLinks = 100;

/** Whatever else begins also begins the body, as HTML's tree construction has it ("in head", "after head"). */
const ofHead = new Set(["html", "head", "base", "link", "meta", "noscript", "title", "style", "script"]);
const endsHead = new Set(["head", "body", "html", "br"]);
/** Elements whose content is text up to their own end tag. */
const ofText = new Set(["title", "style", "script"]);
/** Also `--!>` ends a comment, and `<!-->` and `<!--->` are whole ones. */
const endOfComment = /--!?>/g;
const space = /\s*/y;

/**
 * The `link` elements in the head of a page. Those in the body do not count: there anybody may have written them, into a
 * comment on the page perhaps (WebSub §8.1). The head ends as for a browser, with or without its tags.
 */
export function readHeadLinks(page: string, url: string): readonly EmbeddedLink[] {
  const links: Omit<EmbeddedLink, "base">[] = [];
  let base: string | undefined;
  for (const { name, attributes } of tagsOfHead(page.slice(0, maxScanned))) {
    const href = attributes.get("href")?.trim();
    if (href === undefined) continue;
    if (name === "link") links.push({ href, rels: relsOf(attributes.get("rel")) });
    // The first one counts, for the links before it, too.
    else if (name === "base" && URL.canParse(href, url)) base ??= new URL(href, url).href;
    if (links.length >= maxLinks) break;
  }
  return links.map((link) => ({ ...link, base: base ?? url }));
}

function relsOf(rel = ""): readonly string[] {
  return rel.toLowerCase().split(/\s+/).filter(Boolean);
}

/** The start tags up to the end of the head. */
function* tagsOfHead(html: string): Iterable<HtmlTag> {
  /** What is inside a template is not part of the page. */
  let templates = 0;
  let at = 0;
  for (;;) {
    const tag = nextTag(html, at, templates > 0);
    if (tag === undefined) return;
    const { name, isEnd } = tag;
    at = !isEnd && ofText.has(name) ? afterText(html, tag.end, name) : tag.end;
    if (name === "template") {
      templates = Math.max(0, templates + (isEnd ? -1 : 1));
      continue;
    }
    if (templates > 0) continue;
    if (isEnd ? endsHead.has(name) : !ofHead.has(name)) return;
    if (!isEnd) yield tag;
  }
}

/** Behind space, comments and declarations, and in a template also behind text; elsewhere text begins the body. */
function nextTag(html: string, from: number, mayBeText: boolean): HtmlTag | undefined {
  let at = afterSpace(html, from);
  while (at < html.length) {
    // A tag that never ends takes the rest of the page with it.
    if (isTag(html, at)) return readHtmlTag(html, at);
    const passed = afterMarkup(html, at);
    if (passed === undefined && !mayBeText) return undefined;
    const next = passed ?? html.indexOf("<", at + 1);
    if (next === -1) return undefined;
    at = afterSpace(html, next);
  }
  return undefined;
}

function isTag(html: string, at: number): boolean {
  return /^<\/?[A-Za-z]/.test(html.slice(at, at + 3));
}

function afterSpace(html: string, at: number): number {
  space.lastIndex = at;
  space.exec(html);
  return space.lastIndex;
}

/** The place behind a comment, a doctype or another declaration; `undefined` where none begins. */
function afterMarkup(html: string, at: number): number | undefined {
  if (html.startsWith("<!--", at)) {
    endOfComment.lastIndex = at + 2;
    return endOfComment.exec(html) === null ? html.length : endOfComment.lastIndex;
  }
  if (!html.startsWith("<!", at) && !html.startsWith("<?", at)) return undefined;
  const end = html.indexOf(">", at);
  return end === -1 ? html.length : end + 1;
}

/** The place of the end tag, or the end of the page. */
function afterText(html: string, from: number, name: string): number {
  const end = new RegExp(`</${name}(?=[\\s/>])`, "gi");
  end.lastIndex = from;
  return end.exec(html)?.index ?? html.length;
}
