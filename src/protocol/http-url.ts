import { copiedText } from "./copied-text.ts";

/** An absolute http or https URL, taken apart without changing what will be sent. */
export interface HttpUrl {
  /** Scheme, host in lower case, and port unless it is the default one. */
  readonly origin: string;
  /** An IPv6 address stands without its brackets; numeric forms of IPv4 (`0x7f.1`) are resolved. */
  readonly hostname: string;
  /** Path and query as they were written: `new URL` would rewrite quotes, dots and more. */
  readonly target: string;
  readonly hasFragment: boolean;
}

export interface HttpUrlFault {
  /** Ends a sentence that begins with the name of the value: "has …", "is …". */
  readonly fault: string;
}

const maxUrlLength = 4096;
/** Stricter than `new URL`, which mends `http:/a`, `http:\\a` and inner line breaks, and so would differ from `target`. */
const shape = /^https?:\/\/[^/?#]+([^#]*)(#.*)?$/i;

/** A delivery asks several times for the parts of its callback, and taking them apart costs as much as a signature. */
const recent = new Map<string, HttpUrl>();
const maxRecent = 4096;

export function parseHttpUrl(text: string, maxLength = maxUrlLength): HttpUrl | HttpUrlFault {
  const known = recent.get(text);
  if (known !== undefined && text.length <= maxLength) return known;
  const parsed = takeApart(text, maxLength);
  if ("fault" in parsed || text.length > maxUrlLength) return parsed;
  if (recent.size >= maxRecent) recent.clear();
  recent.set(copiedText(text), parsed);
  return parsed;
}

function takeApart(text: string, maxLength: number): HttpUrl | HttpUrlFault {
  if (text.length > maxLength) return { fault: `is longer than ${maxLength} characters` };
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u0020\u007f\\]/.test(text)) return { fault: "has a space, control character or backslash" };
  const match = shape.exec(text);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (match === null || url === undefined) return { fault: "is not an absolute http(s) URL" };
  if (url.username !== "" || url.password !== "") return { fault: "has a user name or password in it" };
  const written = match[1] ?? "";
  return {
    origin: url.origin,
    hostname: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    target: asciiOf(written.startsWith("/") ? written : `/${written}`),
    hasFragment: match[2] !== undefined,
  };
}

/** What may be shown of a URL whose path is a secret. */
export function originOf(url: string): string {
  const parsed = parseHttpUrl(url);
  return "fault" in parsed ? "(not an http URL)" : parsed.origin;
}

/** Characters that cannot stand in a header or a request line, percent-encoded in UTF-8 (RFC 3986 §2.5). */
export function asciiOf(url: string): string {
  return url.replace(/[^\u0021-\u007e]+/g, (run) =>
    [...Buffer.from(run, "utf8")]
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`)
      .join(""),
  );
}
