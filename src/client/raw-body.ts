import type { IncomingMessage } from "node:http";

/** What a handler is given: a request of `node:http`, on which a framework may have left the body. */
export type CallbackRequest = IncomingMessage & { readonly rawBody?: unknown; readonly body?: unknown };

export type RawBody =
  | { readonly kind: "read"; readonly bytes: Buffer }
  | { readonly kind: "too-large" }
  /** Something before the receiver has read it, and kept no bytes. */
  | { readonly kind: "gone" }
  /** The sender went away in the middle. */
  | { readonly kind: "cut" };

/** The bytes as they were sent: those that a framework kept (`rawBody`, or a `body` of bytes), or else from the stream. */
export async function readRawBody(request: CallbackRequest, maxBytes: number): Promise<RawBody> {
  const kept = [request.rawBody, request.body].find((body) => Buffer.isBuffer(body));
  if (kept !== undefined) {
    return kept.length > maxBytes ? { kind: "too-large" } : { kind: "read", bytes: kept };
  }
  if (request.readableDidRead || request.readableEnded) return { kind: "gone" };
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of request) {
      length += chunk.length;
      // The rest is let run out, so that the sender reads the answer and not a reset.
      if (length <= maxBytes) chunks.push(chunk);
      else chunks.length = 0;
    }
  } catch (error) {
    if (request.complete) throw error;
    return { kind: "cut" };
  }
  return length > maxBytes ? { kind: "too-large" } : { kind: "read", bytes: Buffer.concat(chunks) };
}

/** The receiver was mounted where it cannot check signatures. */
export class RawBodyGone extends Error {
  override name = "RawBodyGone";
  readonly mayRetry = false;

  constructor() {
    super(
      "The body of this delivery was read before the callback receiver saw it, so its signature cannot be checked. " +
        "Mount the receiver before express.json(), express.raw() and other body parsers, or let the parser keep the bytes as " +
        "request.rawBody: express.json({ verify: (request, response, bytes) => { request.rawBody = bytes; } }).",
    );
  }
}
