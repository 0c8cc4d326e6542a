import { Agent } from "undici";
import { type HttpUrl, originOf, parseHttpUrl } from "../protocol/http-url.ts";
import { type AddressGuard, createAddressGuard } from "./address-table.ts";
import { guardedConnector } from "./guarded-connector.ts";
import { type Resolve, systemResolve } from "./guarded-lookup.ts";
import { exchange, type OutboundAnswer, type OutboundRequest } from "./http-exchange.ts";
import { AddressRefused, RequestFailed } from "./outbound-errors.ts";
import { refusedPorts } from "./refused-ports.ts";

/** The one way out of the hub. */
export interface OutboundHttp {
  /**
   * Sends a request and follows no redirect. Rejects with `AddressRefused` (trying again does not help),
   * `RequestTimedOut` or `RequestFailed`.
   */
  request(request: OutboundRequest): Promise<OutboundAnswer>;
  /** Waits for the running requests and closes the connections. */
  close(): Promise<void>;
}

export interface OutboundHttpOptions {
  /** Ranges and addresses that may be called besides public ones. */
  readonly allow: readonly string[];
  readonly events: { outboundRefused(at: { origin: string; reason: string }): void };
  readonly userAgent: string;
  readonly resolve?: Resolve;
  /**
   * A stricter guard, made of the one of addresses. It is asked when a connection is to be made: of every address of the name,
   * whichever is connected to then. A connection that is used again asks nothing.
   */
  readonly guard?: (table: AddressGuard) => AddressGuard;
  /** `false`: every request has a connection of its own. */
  readonly reuse?: boolean;
}

/** A slow origin holds this many sockets at most. */
const socketsPerOrigin = 64;
/** Shorter than the 5 s after which common servers close an idle connection, so that we close first. */
const idleMilliseconds = 4_000;
const maxHeaderBytes = 16_384;
/** A callback of 4096 characters, with a topic of as many, percent-encoded, and a reason after it. */
const maxUrlLength = 20_000;

export function createOutboundHttp(options: OutboundHttpOptions): OutboundHttp {
  const { allow, events, userAgent, resolve = systemResolve, reuse = true } = options;
  const table = createAddressGuard(allow);
  const guard = options.guard?.(table) ?? table;
  const agent = new Agent({
    connections: socketsPerOrigin,
    pipelining: reuse ? 1 : 0,
    keepAliveTimeout: idleMilliseconds,
    maxHeaderSize: maxHeaderBytes,
    connect: guardedConnector(guard, resolve),
  });
  let running = 0;
  let closing = false;
  let becomeIdle = (): void => {};

  return {
    /** One function, since it stands in the way of every delivery. */
    async request(request) {
      const { url } = request;
      if (closing) throw new RequestFailed(`${originOf(url)} was not called: the hub is stopping`);
      running += 1;
      try {
        const to = parseHttpUrl(url, maxUrlLength);
        if ("fault" in to) throw new AddressRefused(`the URL ${to.fault}`);
        refusePort(to);
        const headers = { "user-agent": userAgent, ...request.headers };
        return await exchange(agent, to, { ...request, headers });
      } catch (error) {
        if (error instanceof AddressRefused) {
          events.outboundRefused({ origin: originOf(url), reason: error.message });
        }
        throw error;
      } finally {
        running -= 1;
        if (running === 0) becomeIdle();
      }
    },
    async close() {
      closing = true;
      if (running > 0) await new Promise<void>((idle) => (becomeIdle = idle));
      // Not `close`: that would wait for connections that were begun and that no request waits for any more.
      await agent.destroy();
    },
  };
}

function refusePort({ origin }: HttpUrl): void {
  const port = origin.slice(origin.lastIndexOf(":") + 1);
  if (!refusedPorts.has(port)) return;
  throw new AddressRefused(
    `${origin} may not be called: port ${port} is that of another protocol (Fetch §2.9)`,
  );
}
