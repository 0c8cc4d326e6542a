/** What is wrong with a text that should be an absolute URI (RFC 3986). */
export interface UriJudgement {
  /** In lower case; empty where there is none. */
  readonly scheme: string;
  /** Ends a sentence that begins with the name of the value; `undefined` where all is well. */
  readonly fault: string | undefined;
  /** It has characters that only an IRI may have (RFC 3987). */
  readonly isIri: boolean;
}

const schemeShape = /^([A-Za-z][A-Za-z0-9+.-]*):/;
const forbidden = /[^\w.~!$&'()*+,;=:@/?#[\]%\u00A0-\uFFFF-]/;
const badPercent = /%(?![0-9A-Fa-f]{2})/;
const authorityShape =
  /^(?:[^@[\]]*@)?(?<host>\[[0-9A-Fa-f:.]+\]|\[v[0-9A-Fa-f]+\.[^\]]+\]|[^:@[\]]*)(?::\d*)?$/;
const schemesWithHost = new Set(["http", "https", "ws", "wss", "ftp"]);

function characterFault(text: string): string | undefined {
  const at = text.search(forbidden);
  if (at !== -1) {
    const character = text.charAt(at);
    const name = character === " " ? "a space" : `the character "${character}"`;
    const written = `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
    return `holds ${name} at position ${at + 1}; write it as ${written}`;
  }
  const percent = text.search(badPercent);
  if (percent === -1) return undefined;
  return `holds a "%" at position ${percent + 1} that begins no %XX; write a percent sign itself as %25`;
}

function partsFault(scheme: string, rest: string): string | undefined {
  if (rest.indexOf("#") !== rest.lastIndexOf("#")) return 'holds more than one "#"';
  const [hierarchy = ""] = rest.split(/[?#]/, 1);
  const [, authority, path = hierarchy] = /^\/\/([^/]*)(.*)$/.exec(hierarchy) ?? [];
  if (/[[\]]/.test(path) || /[[\]]/.test(rest.slice(hierarchy.length))) {
    return 'holds a bracket outside the host; write "[" as %5B and "]" as %5D';
  }
  const host = authority === undefined ? "" : authorityShape.exec(authority)?.groups?.["host"];
  if (host === undefined) return "has a host or port that cannot be read";
  if (host === "" && schemesWithHost.has(scheme)) return `has no host; it begins with ${scheme}://host/`;
  return rest === "" ? "ends after its scheme" : undefined;
}

/** What nearly every loc is; in such a URI nothing can be wrong. */
const plainUri = /^(https?):\/\/[A-Za-z0-9.-]+(?::\d+)?(?:[/?][\w.~!$&'()*+,;=:@/?-]*)?$/;

/** A fragment is allowed: ResourceSync asks for a URI, not for what RFC 3986 calls an absolute-URI. */
export function judgeAbsoluteUri(text: string): UriJudgement {
  const plain = plainUri.exec(text);
  if (plain !== null) return { scheme: plain[1] ?? "", fault: undefined, isIri: false };
  // oxlint-disable-next-line no-control-regex -- ASCII is exactly this range
  const isIri = /[^\u0000-\u007F]/.test(text);
  const match = schemeShape.exec(text);
  if (match === null) {
    const fault = characterFault(text) ?? "is not absolute; begin it with a scheme, such as https://";
    return { scheme: "", fault, isIri };
  }
  const scheme = (match[1] ?? "").toLowerCase();
  const fault = characterFault(text) ?? partsFault(scheme, text.slice(match[0].length));
  return { scheme, fault, isIri };
}
