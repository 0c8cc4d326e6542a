import { asciiOf } from "./http-url.ts";

export interface Link {
  readonly href: string;
  /** Relation types, in lower case: registered ones ignore case (RFC 8288 §2.1.1). */
  readonly rels: readonly string[];
  /** The URL that the link starts from, where that is not the message itself. */
  readonly anchor: string | undefined;
}

/** One combined `Link` field (WebSub §7). */
export function formatLinkHeader(links: readonly { readonly href: string; readonly rel: string }[]): string {
  return links.map(({ href, rel }) => `<${asciiOf(href).replaceAll(">", "%3E")}>; rel="${rel}"`).join(", ");
}

const target = /[\s,]*<([^>]*)>/y;
/** Name, then a quoted value or a bare one. Every quantifier ends at a character that the next one cannot take. */
const parameter = /\s*;\s*([^\s=;,]*)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?/y;

/** Reads `Link` fields as RFC 8288 §3 and its appendix B say. What is not a link is passed over. */
export function parseLinkHeader(fields: readonly string[]): readonly Link[] {
  return fields.flatMap(parseField);
}

function parseField(field: string): Link[] {
  const links: Link[] = [];
  let at = 0;
  while (at < field.length) {
    target.lastIndex = at;
    const match = target.exec(field);
    if (match === null) break;
    const [parameters, end] = parseParameters(field, target.lastIndex);
    links.push({
      href: (match[1] ?? "").trim(),
      rels: (parameters.get("rel") ?? "").toLowerCase().split(/\s+/).filter(Boolean),
      anchor: parameters.get("anchor"),
    });
    const comma = field.indexOf(",", end);
    at = comma === -1 ? field.length : comma + 1;
  }
  return links;
}

function parseParameters(field: string, from: number): [parameters: Map<string, string>, end: number] {
  const parameters = new Map<string, string>();
  let at = from;
  for (;;) {
    parameter.lastIndex = at;
    const match = parameter.exec(field);
    if (match === null) return [parameters, at];
    at = parameter.lastIndex;
    const name = (match[1] ?? "").toLowerCase();
    const value = match[2]?.replaceAll(/\\(.)/g, "$1") ?? match[3] ?? "";
    // Of a repeated parameter the first one counts (RFC 8288 §3.3).
    if (!parameters.has(name)) parameters.set(name, value);
  }
}
