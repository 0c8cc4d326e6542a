import { gunzipSync } from "node:zlib";
import { request } from "undici";

export interface FetchWish {
  readonly method: "GET" | "HEAD";
  /** Milliseconds for one document, redirects included. */
  readonly timeout: number;
  /** As received, and once more when it is unpacked. */
  readonly maxBytes: number;
  /** Whether a redirect may lead there. */
  readonly mayVisit: (url: string) => boolean;
  readonly signal: AbortSignal | undefined;
  readonly userAgent?: string;
  /** Sent to the origin of the first URL only. */
  readonly authorization?: Readonly<Record<string, string>>;
}

export type Fetched =
  | {
      readonly kind: "answer";
      readonly status: number;
      /** Where the redirects led. */
      readonly url: string;
      /** Every URL that answered with a redirect, the first one first. */
      readonly redirects: readonly string[];
      readonly contentType: string;
      readonly linkHeaders: readonly string[];
      readonly body: Uint8Array;
    }
  /** Words that end a sentence beginning with the document's name. */
  | { readonly kind: "failed"; readonly why: string; readonly redirects: readonly string[] };

const maxRedirects = 5;
const headers = {
  accept: "application/xml, text/xml;q=0.9, */*;q=0.1",
  "accept-encoding": "gzip",
};

const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing answers there",
  ENOTFOUND: "there is no such host",
  ECONNRESET: "the server broke the connection off",
  UND_ERR_SOCKET: "the server broke the connection off",
};

function reasonOf(error: unknown, timeout: number): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `no complete answer within ${timeout / 1000} seconds`;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return words[code] ?? error.message;
}

class TooLarge extends Error {
  constructor(maxBytes: number) {
    super(`it has more than ${maxBytes} bytes; it was not read on`);
  }
}

async function gather(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new TooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Packed by the server for the transfer, or stored so (`list.xml.gz`): the first bytes tell. */
function unpacked(bytes: Uint8Array, maxBytes: number): Uint8Array {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if (error instanceof RangeError) throw new TooLarge(maxBytes);
    throw error;
  }
}

const listed = (field: string | readonly string[] | undefined): readonly string[] =>
  field === undefined ? [] : typeof field === "string" ? [field] : field;

/** One GET or HEAD with at most five redirects. Never throws. */
export async function fetchDocument(first: string, wish: FetchWish): Promise<Fetched> {
  const { method, timeout, maxBytes, mayVisit, userAgent = "resourcesync-hub validate" } = wish;
  const authorizationFor = (url: string) =>
    new URL(url).origin === new URL(first).origin ? wish.authorization : {};
  const timer = AbortSignal.timeout(timeout);
  const signal = wish.signal === undefined ? timer : AbortSignal.any([timer, wish.signal]);
  const redirects: string[] = [];
  let url = first;
  try {
    for (;;) {
      const answer = await request(url, {
        method,
        headers: { ...headers, "user-agent": userAgent, ...authorizationFor(url) },
        signal,
      });
      const { statusCode: status, body } = answer;
      const [location] = listed(answer.headers["location"]);
      if (status < 300 || status >= 400 || location === undefined) {
        const bytes = unpacked(await gather(body, maxBytes), maxBytes);
        const [contentType = ""] = listed(answer.headers["content-type"]);
        const linkHeaders = listed(answer.headers["link"]);
        return { kind: "answer", status, url, redirects, contentType, linkHeaders, body: bytes };
      }
      await body.dump();
      redirects.push(url);
      const next = URL.canParse(location, url) ? new URL(location, url).href : "";
      const why =
        redirects.length > maxRedirects
          ? `more than ${maxRedirects} redirects, the last one to ${next}`
          : /^https?:/.test(next)
            ? `it redirects to ${next}, on another origin; allow that with --other-origins`
            : `it redirects to ${JSON.stringify(location)}, which is no http URL`;
      if (redirects.length > maxRedirects || !/^https?:/.test(next) || !mayVisit(next)) {
        return { kind: "failed", why, redirects };
      }
      url = next;
    }
  } catch (error) {
    return { kind: "failed", why: reasonOf(error, timeout), redirects };
  }
}
