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
  const { method, headers, body = null } = request;
  return new Promise((resolve, reject) => {
    const handler = new Exchange(to.origin, request, resolve, reject);
    if (handler.hasEnded) return;
    const { origin, target: path } = to;
    dispatcher.dispatch({ origin, path, method, headers, body, headersTimeout: 0, bodyTimeout: 0 }, handler);
  });
}

/** A request under way. One object for all that undici calls: there is one for each delivery. */
class Exchange implements Dispatcher.DispatchHandler {
  hasEnded = false;
  readonly #origin: string;
  readonly #request: OutboundRequest;
  readonly #resolve: (answer: OutboundAnswer) => void;
  readonly #reject: (error: Error) => void;
  readonly #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: OutboundAnswer["headers"] = {};
  #chunks: Buffer[] = [];
  #received = 0;

  constructor(
    origin: string,
    request: OutboundRequest,
    resolve: (answer: OutboundAnswer) => void,
    reject: (error: Error) => void,
  ) {
    this.#origin = origin;
    this.#request = request;
    this.#resolve = resolve;
    this.#reject = reject;
    const { timeout, signal } = request;
    this.#timer = setTimeout(() => this.#timeOut(), timeout);
    if (signal !== undefined) callOffWith(signal, this);
  }

  callOff(): void {
    this.#stop(new RequestFailed(`the request to ${this.#origin} was called off`));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // A request that timed out while it waited for a connection must not be sent after all.
    if (this.hasEnded) controller.abort(new Error("no longer wanted"));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    fields: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = joined(fields);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const room = this.#request.maxBytes - this.#received;
    this.#received += chunk.length;
    this.#chunks.push(chunk.subarray(0, Math.max(0, room)));
    if (chunk.length <= room) return;
    this.#answer(true);
    controller.abort(new Error("enough was read"));
  }

  onResponseEnd(): void {
    this.#answer(false);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#end()) this.#reject(outboundErrorOf(error, this.#origin));
  }

  #timeOut(): void {
    const seconds = this.#request.timeout / 1000;
    this.#stop(new RequestTimedOut(`${this.#origin} did not answer within ${seconds} s`));
  }

  #answer(truncated: boolean): void {
    if (!this.#end()) return;
    const body = this.#chunks.length === 0 ? nothing : Buffer.concat(this.#chunks);
    this.#resolve({ status: this.#status, headers: this.#headers, body, truncated });
  }

  #stop(error: Error): void {
    if (this.#end()) this.#reject(error);
    this.#controller?.abort(error);
  }

  /** Whether it had not ended before. */
  #end(): boolean {
    if (this.hasEnded) return false;
    this.hasEnded = true;
    clearTimeout(this.#timer);
    const { signal } = this.#request;
    if (signal !== undefined) underWay.get(signal)?.delete(this);
    return true;
  }
}

const nothing = Buffer.alloc(0);

/** What a signal calls off. One listener for all: a signal looks through its listeners whenever one goes. */
const underWay = new WeakMap<AbortSignal, Set<Exchange>>();

function callOffWith(signal: AbortSignal, one: Exchange): void {
  if (signal.aborted) return one.callOff();
  const others = underWay.get(signal);
  if (others !== undefined) return void others.add(one);
  const all = new Set([one]);
  underWay.set(signal, all);
  signal.addEventListener("abort", () => [...all].forEach((each) => each.callOff()), { once: true });
}

function joined(fields: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(fields)) {
    headers[name] = Array.isArray(value) ? value.join(", ") : (value ?? "");
  }
  return headers;
}
