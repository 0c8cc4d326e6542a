import { type OutboundHttp } from "../security/outbound-http.ts";
import { isOutboundError } from "../security/outbound-errors.ts";

/** Milliseconds for one document. */
const timeout = 60_000;
const pieceBytes = 64 * 1024;

export type FetchedList =
  | { readonly kind: "fetched"; readonly pieces: AsyncIterable<Uint8Array> }
  | { readonly kind: "failed"; readonly reason: string };

/** In pieces, so that whoever reads them leaves the event loop to others in between. */
export async function* piecesOf(body: Buffer): AsyncIterable<Uint8Array> {
  for (let from = 0; from < body.length; from += pieceBytes) {
    yield body.subarray(from, from + pieceBytes);
    await new Promise(setImmediate);
  }
}

/** Fetches a document of the Source through the guard; the sentence of a failure names it and says what to do. */
export function fetchList(outbound: Pick<OutboundHttp, "request">, maxBytes: number, signal: AbortSignal) {
  return async (url: string): Promise<FetchedList> => {
    const failed = (why: string): FetchedList => ({
      kind: "failed",
      reason: `${url} could not be fetched: ${why}`,
    });
    try {
      const headers = { accept: "application/xml, text/xml;q=0.9", "accept-encoding": "identity" };
      const answer = await outbound.request({ method: "GET", url, headers, timeout, maxBytes, signal });
      if (answer.status >= 300 && answer.status < 400) {
        return failed(
          `it answers ${answer.status}, and the hub follows no redirect; name the URL that it leads to`,
        );
      }
      if (answer.status !== 200) return failed(`it answers ${answer.status} instead of 200`);
      if (answer.truncated) {
        return failed(
          `it has more than ${maxBytes} bytes; divide it among several lists, or raise limits.resourceListBytes`,
        );
      }
      const encoding = answer.headers["content-encoding"] ?? "identity";
      if (encoding !== "identity") return failed(`it comes as ${encoding}, which the hub did not ask for`);
      return { kind: "fetched", pieces: piecesOf(answer.body) };
    } catch (error) {
      if (!isOutboundError(error)) throw error;
      return failed(error.message);
    }
  };
}
