import { setMaxListeners } from "node:events";
import type { Dispatcher } from "undici";
import type { HttpUrl } from "../protocol/http-url.ts";
import { outboundErrorOf, RequestFailed, RequestTimedOut } from "./outbound-errors.ts";

export interface OutboundRequest {
  readonly method: "GET" | "HEAD" | "POST";
  /** Absolute http(s) URL. Its path and query are sent as they are written. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | undefined;
  /** Milliseconds for everything: look-up, connection, TLS, headers, body. */
  readonly timeout: number;
  /** At most this much of the answer's body is read. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

export interface OutboundAnswer {
  readonly status: number;
  /** Names in lower case; the values of a repeated field are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Whether the body went on after `maxBytes`. */
  readonly truncated: boolean;
}

/** One request and its answer. Rejects with an `OutboundError`. */
export function exchange(
  dispatcher: Dispatcher,
  to: HttpUrl,
  request: OutboundRequest,
): Promise<OutboundAnswer> {
  const { method, headers, body, timeout, maxBytes, signal } = request;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let received = 0;
    let head = { status: 0, headers: {} };
    let controller: Dispatcher.DispatchController | undefined;
    let ended = false;

    const end = (settle: () => void): void => {
      if (ended) return;
      ended = true;
      clearTimeout(timer);
      signal?.removeEventListener("abort", callOff);
      settle();
    };
    const answer = (truncated: boolean): void =>
      end(() => resolve({ ...head, body: Buffer.concat(chunks), truncated }));
    const stop = (error: Error): void => {
      end(() => reject(error));
      controller?.abort(error);
    };
    const callOff = (): void => stop(new RequestFailed(`the request to ${to.origin} was called off`));
    const timer = setTimeout(
      () => stop(new RequestTimedOut(`${to.origin} did not answer within ${timeout / 1000} s`)),
      timeout,
    );
    if (signal !== undefined) {
      // One signal calls off all that run at the same time: no leak, however many listen to it.
      setMaxListeners(0, signal);
      signal.addEventListener("abort", callOff);
    }
    if (signal?.aborted === true) return callOff();

    dispatcher.dispatch(
      {
        origin: to.origin,
        path: to.target,
        method,
        headers,
        body: body ?? null,
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      {
        onRequestStart(started) {
          controller = started;
          // A request that timed out while it waited for a connection must not be sent after all.
          if (ended) started.abort(new Error("no longer wanted"));
        },
        onResponseStart(_controller, status, fields) {
          if (status >= 200) head = { status, headers: joined(fields) };
        },
        onResponseData(started, chunk) {
          const room = maxBytes - received;
          received += chunk.length;
          chunks.push(chunk.subarray(0, Math.max(0, room)));
          if (chunk.length <= room) return;
          answer(true);
          started.abort(new Error("enough was read"));
        },
        onResponseEnd: () => answer(false),
        onResponseError: (_controller, error) => end(() => reject(outboundErrorOf(error, to.origin))),
      },
    );
  });
}

function joined(fields: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(", ") : (value ?? ""),
    ]),
  );
}
