import { piecesOf } from "../resources/fetch-list.ts";
import { isOutboundError } from "../security/outbound-errors.ts";
import type { OutboundHttp } from "../security/outbound-http.ts";
import type { OutboundAnswer } from "../security/http-exchange.ts";
import type { Validators } from "./change-list-intake.ts";
import { delayAskedFor } from "./look-interval.ts";

/** Milliseconds for one document. */
const timeout = 60_000;

export type FetchOutcome =
  | {
      readonly kind: "fetched";
      readonly body: AsyncIterable<Uint8Array>;
      readonly fetchedAt: number;
      readonly validators: Validators;
      /** Milliseconds for which the Source says that nobody need ask again. */
      readonly notBefore: number;
    }
  | { readonly kind: "not-modified"; readonly fetchedAt: number; readonly notBefore: number }
  | { readonly kind: "failed"; readonly reason: string; readonly notBefore: number };

interface Parts {
  readonly outbound: Pick<OutboundHttp, "request">;
  readonly maxBytes: number;
  readonly now: () => number;
  readonly stopping: AbortSignal;
}

function whyOf({ status, headers, truncated }: OutboundAnswer, maxBytes: number): string | undefined {
  if (status === 404 || status === 410)
    return `it answers ${status}: there is nothing any more; name the list's new URL in sets[].watch`;
  if (status >= 300 && status < 400)
    return `it answers ${status}, and the hub follows no redirect; name the URL that it leads to`;
  if (status !== 200) return `it answers ${status} instead of 200`;
  if (truncated) return `it has more than ${maxBytes} bytes; raise limits.resourceListBytes`;
  const encoding = headers["content-encoding"] ?? "identity";
  return encoding === "identity" ? undefined : `it comes as ${encoding}, which the hub did not ask for`;
}

function validatorsOf({ etag, "last-modified": lastModified }: OutboundAnswer["headers"]): Validators {
  return {
    ...(etag === undefined || etag.length > 500 ? {} : { etag }),
    ...(lastModified === undefined || lastModified.length > 100 ? {} : { lastModified }),
  };
}

/** Fetches a Change List through the guard, if it is not the one that is known. */
export function fetchChangeList({ outbound, maxBytes, now, stopping: signal }: Parts) {
  return async (url: string, known: Validators = {}): Promise<FetchOutcome> => {
    const headers = {
      accept: "application/xml, text/xml;q=0.9",
      "accept-encoding": "identity",
      ...(known.etag === undefined ? {} : { "if-none-match": known.etag }),
      ...(known.lastModified === undefined ? {} : { "if-modified-since": known.lastModified }),
    };
    const fetchedAt = now();
    try {
      const answer = await outbound.request({ method: "GET", url, headers, timeout, maxBytes, signal });
      const notBefore = delayAskedFor(answer.headers, now());
      if (answer.status === 304) return { kind: "not-modified", fetchedAt, notBefore };
      const why = whyOf(answer, maxBytes);
      if (why !== undefined) {
        return { kind: "failed", reason: `${url} could not be fetched: ${why}`, notBefore };
      }
      const validators = validatorsOf(answer.headers);
      return { kind: "fetched", body: piecesOf(answer.body), fetchedAt, validators, notBefore };
    } catch (error) {
      if (!isOutboundError(error)) throw error;
      return { kind: "failed", reason: `${url} could not be fetched: ${error.message}`, notBefore: 0 };
    }
  };
}

export type FetchChangeList = ReturnType<typeof fetchChangeList>;
