import { createHash } from "node:crypto";
import type { Request, Response } from "express";
import { formatLinkHeader } from "../protocol/link-header.ts";

interface DocumentHead {
  readonly contentType: string;
  readonly links?: readonly { readonly href: string; readonly rel: string }[];
  /** Milliseconds since 1970. */
  readonly modifiedAt?: number | undefined;
}

export interface DocumentToSend extends DocumentHead {
  readonly body: Buffer;
}

/** A document that is sent gzipped to those who take it so. */
export interface EncodedDocument extends DocumentHead {
  /** Names the bytes of `plain`. */
  readonly digest: string;
  readonly plain: () => Promise<Buffer>;
  readonly gzipped: () => Promise<Buffer>;
  /** Whether its bytes never change again (RFC 8246). */
  readonly immutable: boolean;
}

const revalidate = "no-cache";
const forGood = "public, max-age=31536000, immutable";

/** Answers GET and HEAD; a conditional request for what the client has already gets 304 (RFC 9110 §13). */
export function sendDocument(request: Request, response: Response, document: DocumentToSend): void {
  const { body } = document;
  const etag = `"${createHash("sha256").update(body).digest("base64url")}"`;
  setCaching(response, revalidate);
  if (!sendHead(request, response, document, etag)) sendBody(request, response, body);
}

/** The same. The two encodings are two representations, each with a strong ETag of its own (RFC 9110 §8.8.3.3). */
export async function sendEncoded(
  request: Request,
  response: Response,
  document: EncodedDocument,
): Promise<void> {
  const { digest, plain, gzipped, immutable } = document;
  const isGzipped = request.acceptsEncodings("gzip", "identity") === "gzip";
  setCaching(response, immutable ? forGood : revalidate);
  response.vary("Accept-Encoding");
  if (sendHead(request, response, document, isGzipped ? `"${digest}-gzip"` : `"${digest}"`)) return;
  if (isGzipped) response.setHeader("Content-Encoding", "gzip");
  sendBody(request, response, await (isGzipped ? gzipped() : plain()));
}

/** What has been said of a private set stays. */
export function setCaching(response: Response, caching: string): void {
  if (!response.hasHeader("Cache-Control")) response.setHeader("Cache-Control", caching);
}

/** True where that was all, since the client has the rest. */
function sendHead(request: Request, response: Response, document: DocumentHead, etag: string): boolean {
  const { contentType, links, modifiedAt } = document;
  response.setHeader("ETag", etag);
  response.vary("Accept");
  if (modifiedAt !== undefined) response.setHeader("Last-Modified", lastModified(modifiedAt, Date.now()));
  if (links !== undefined && links.length > 0) response.setHeader("Link", formatLinkHeader(links));
  if (hasAlready(request, etag, modifiedAt)) {
    response.status(304).end();
    return true;
  }
  // Set and ended by hand: express would add a charset, which a known subscriber refuses (rule H30).
  response.setHeader("Content-Type", contentType);
  return false;
}

function sendBody(request: Request, response: Response, body: Buffer): void {
  response.setHeader("Content-Length", body.length);
  response.end(request.method === "HEAD" ? undefined : body);
}

/** The end of the second in which it was modified, in seconds: what has that date cannot change any more within it. */
const settledAt = (modifiedAt: number): number => Math.floor(modifiedAt / 1000) + 1;

/**
 * A second can hold two changes, and who read between them must not be told that nothing changed. So a document is dated to
 * the end of its second, or to the beginning, which matches nothing, as long as that is not over.
 */
function lastModified(modifiedAt: number, now: number): string {
  const settled = settledAt(modifiedAt);
  return new Date((settled * 1000 <= now ? settled : settled - 1) * 1000).toUTCString();
}

/**
 * RFC 9110 §13.1.2, §13.1.3. Not `request.fresh` of express: that gives up at Cache-Control: no-cache, which clients send
 * together with If-None-Match.
 */
export function hasAlready({ headers }: Request, etag: string, modifiedAt: number | undefined): boolean {
  const known = headers["if-none-match"];
  if (known !== undefined) {
    return known.split(",").some((tag) => ["*", etag].includes(tag.trim().replace(/^W\//, "")));
  }
  const since = Date.parse(headers["if-modified-since"] ?? "");
  return modifiedAt !== undefined && settledAt(modifiedAt) * 1000 <= since;
}
