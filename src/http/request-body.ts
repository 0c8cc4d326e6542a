import type { IncomingMessage } from "node:http";
import { letRunOut } from "./let-run-out.ts";
import { RequestError } from "./problem.ts";

/** The whole body, at most `maxBytes`; a longer one is refused, with advice, without being read to its end. */
export async function readBody(request: IncomingMessage, maxBytes: number, advice: string): Promise<Buffer> {
  refuseUnreadable(request, maxBytes, advice);
  // Listeners and one promise: the stream's iterator takes a promise for each step, which showed in publishing.
  return await new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const settle = (): void => {
      request.off("data", take).off("end", end).off("error", fail).off("close", fail);
    };
    const take = (chunk: Buffer): void => {
      length += chunk.length;
      chunks.push(chunk);
      if (length <= maxBytes) return;
      settle();
      letRunOut(request);
      reject(tooLarge(maxBytes, advice));
    };
    const end = (): void => {
      settle();
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks));
    };
    const fail = (cause?: unknown): void => {
      settle();
      reject(request.complete && cause instanceof Error ? cause : brokenOff(cause));
    };
    request.on("data", take).on("end", end).on("error", fail).on("close", fail);
  });
}

/** The same as it comes. */
export async function* boundedBody(
  request: IncomingMessage,
  maxBytes: number,
  advice: string,
): AsyncIterable<Buffer> {
  refuseUnreadable(request, maxBytes, advice);
  let length = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      if (!Buffer.isBuffer(chunk)) continue;
      length += chunk.length;
      if (length > maxBytes) throw tooLarge(maxBytes, advice);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof RequestError) letRunOut(request);
    else if (!request.complete) throw brokenOff(error);
    throw error;
  }
}

function refuseUnreadable(request: IncomingMessage, maxBytes: number, advice: string): void {
  // What is destroyed tells of no end any more: whoever listened for one would wait for ever.
  if (request.destroyed) throw brokenOff(request.errored);
  const refusal = whyUnreadable(request, maxBytes, advice);
  if (refusal === undefined) return;
  letRunOut(request);
  throw refusal;
}

function whyUnreadable(
  { headers }: IncomingMessage,
  maxBytes: number,
  advice: string,
): RequestError | undefined {
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity") {
    return new RequestError(415, `Content-Encoding ${encoding} is not taken: send the body as it is.`, {
      headers: { "Accept-Encoding": "identity" },
    });
  }
  return Number(headers["content-length"] ?? 0) > maxBytes ? tooLarge(maxBytes, advice) : undefined;
}

function brokenOff(cause: unknown): RequestError {
  return new RequestError(400, "The connection ended before the body was complete.", { cause });
}

function tooLarge(maxBytes: number, advice: string): RequestError {
  // Without Connection: close, after which Node would end the connection while the sender still sends and has read nothing.
  return new RequestError(413, `The body is larger than ${maxBytes} bytes. ${advice}`);
}

/** The media type of the body, lower case and without parameters; empty where there is none. */
export function mediaTypeOf(request: IncomingMessage): string {
  return (request.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

/** As it is written; `undefined` where the request names none. */
export function charsetOf(request: IncomingMessage): string | undefined {
  return /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(request.headers["content-type"] ?? "")?.[1];
}

/** Refuses a body that is not XML, or not in UTF-8 by its own word (notification 1.0.1 §4.1: application/xml). */
export function requireXml(request: IncomingMessage): void {
  const charset = charsetOf(request);
  if (mediaTypeOf(request) !== "application/xml") {
    throw new RequestError(
      415,
      `A notification is sent as Content-Type: application/xml; this one came as ${request.headers["content-type"] ?? "no type at all"} (Change Notification 1.0.1 §4.1).`,
    );
  }
  if (charset !== undefined && charset.toLowerCase() !== "utf-8") {
    throw new RequestError(415, `A notification is sent in UTF-8; this one says charset=${charset}.`);
  }
}
