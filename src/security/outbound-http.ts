import { isIP } from "node:net";
import { Agent } from "undici";
import { type HttpUrl, originOf, parseHttpUrl } from "../protocol/http-url.ts";
import { type AddressGuard, createAddressGuard } from "./address-table.ts";
import { createGuardedLookup, type Resolve, systemResolve } from "./guarded-lookup.ts";
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
const connectMilliseconds = 10_000;
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
    connect: { lookup: createGuardedLookup(guard, resolve), timeout: connectMilliseconds },
  });

  /** One function, since it stands in the way of every delivery. */
  async function send(request: OutboundRequest): Promise<OutboundAnswer> {
    const { url } = request;
    try {
      const to = parseHttpUrl(url, maxUrlLength);
      if ("fault" in to) throw new AddressRefused(`the URL ${to.fault}`);
      refusePort(to);
      // `lookup` is never called for a host that is an address already.
      if (isIP(to.hostname) !== 0) refuseAddress(to);
      const headers = { "user-agent": userAgent, ...request.headers };
      return await exchange(agent, to, { ...request, headers });
    } catch (error) {
      if (error instanceof AddressRefused) {
        events.outboundRefused({ origin: originOf(url), reason: error.message });
      }
      throw error;
    }
  }

  function refuseAddress({ hostname, origin }: HttpUrl): void {
    const verdict = guard.check(hostname, hostname);
    if (verdict !== "callable") throw new AddressRefused(`${origin} may not be called: ${verdict.refused}`);
  }

  function refusePort({ origin }: HttpUrl): void {
    const port = origin.slice(origin.lastIndexOf(":") + 1);
    if (!refusedPorts.has(port)) return;
    throw new AddressRefused(
      `${origin} may not be called: port ${port} is that of another protocol (Fetch §2.9)`,
    );
  }

  const running = new Set<Promise<unknown>>();
  let closing = false;
  return {
    async request(request) {
      if (closing) throw new RequestFailed(`${originOf(request.url)} was not called: the hub is stopping`);
      const answer = send(request);
      running.add(answer);
      return answer.finally(() => running.delete(answer));
    },
    async close() {
      closing = true;
      await Promise.allSettled(running);
      // Not `close`: that would wait for connections that were begun and that no request waits for any more.
      await agent.destroy();
    },
  };
}
