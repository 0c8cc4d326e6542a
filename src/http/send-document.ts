import { createHash } from "node:crypto";
import type { Request, Response } from "express";
import { formatLinkHeader } from "../protocol/link-header.ts";

export interface DocumentToSend {
  readonly body: Buffer;
  readonly contentType: string;
  readonly links?: readonly { readonly href: string; readonly rel: string }[];
  /** Milliseconds since 1970. */
  readonly modifiedAt?: number | undefined;
}

/** Answers GET and HEAD; a conditional request for what the client has already gets 304 (RFC 9110 §13). */
export function sendDocument(request: Request, response: Response, document: DocumentToSend): void {
  const { body, contentType, links, modifiedAt } = document;
  const etag = `"${createHash("sha256").update(body).digest("base64url")}"`;
  response.setHeader("ETag", etag);
  response.setHeader("Cache-Control", "no-cache");
  response.setHeader("Access-Control-Allow-Origin", "*");
  response.setHeader("Access-Control-Expose-Headers", "Link, ETag");
  response.vary("Accept");
  if (modifiedAt !== undefined) response.setHeader("Last-Modified", new Date(modifiedAt).toUTCString());
  if (links !== undefined && links.length > 0) response.setHeader("Link", formatLinkHeader(links));
  if (hasAlready(request, etag, modifiedAt)) {
    response.status(304).end();
    return;
  }
  // Set and ended by hand: express would add a charset, which a known subscriber refuses (rule H30).
  response.setHeader("Content-Type", contentType);
  response.setHeader("Content-Length", body.length);
  response.end(request.method === "HEAD" ? undefined : body);
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
  return modifiedAt !== undefined && Math.floor(modifiedAt / 1000) * 1000 <= since;
}
