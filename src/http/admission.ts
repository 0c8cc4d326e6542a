import type { IncomingMessage, ServerResponse } from "node:http";
import type { Server, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { refuseUpgrade } from "../live/refuse-upgrade.ts";
import type { Events } from "../observability/events.ts";
import { isLoopback, networkOf } from "../security/address-table.ts";
import type { ClientOf } from "./client-of.ts";
import { createConnectionCount } from "./connection-count.ts";
import { letRunOut } from "./let-run-out.ts";
import { type Problem, RequestError, sendProblem } from "./problem.ts";
import { createRateLimit } from "./rate-limit.ts";
import { isSecure } from "./secure-server.ts";

export interface AdmissionLimits {
  readonly connections: number;
  readonly connectionsPerAddress: number;
  readonly requestsPerMinute: number;
}

interface Parts {
  readonly limits: AdmissionLimits;
  readonly clientOf: ClientOf;
  /** Whether an address is that of a proxy that says who its clients are: its connections are those of many. */
  readonly isProxy: (address: string) => boolean;
  /** Whose requests and connections are not counted: those of this machine itself, since a proxy there stands for everybody. */
  readonly isExempt?: (address: string) => boolean;
  readonly events: Pick<Events, "limited">;
  readonly now: () => number;
}

export interface Admission {
  /** Counts the server's connections, and ends those that are too many. */
  watch(server: Server): void;
  /** Whether its connection was one too many, and was told so: what comes over it still is not for us. */
  isRefused(request: IncomingMessage): boolean;
  /** The same, or too many requests of its connection wait for their answers. Then the connection is ended. */
  turnsAway(request: IncomingMessage, response: ServerResponse): boolean;
  /** Whether the request may go on; answers it where it may not. */
  admits(request: IncomingMessage, response: ServerResponse): boolean;
  admitsUpgrade(request: IncomingMessage, socket: Duplex): boolean;
  /** What is to be answered for `problem`: who had too many answers that a token or a path is wrong gets no more of them. */
  afterRefusal(request: IncomingMessage, problem: Problem): Problem;
}

/** Of one connection: clients that pipeline have a few. More are cut off: a read of 64 KiB can bring a thousand. */
const maxUnanswered = 64;

/**
 * What a client may have of this process, whoever it is: so that no number of clients keeps the others out, nor takes more than a
 * bounded amount of memory.
 */
export function createAdmission({ limits, clientOf, isProxy, events, now, ...parts }: Parts): Admission {
  const { isExempt = isLoopback } = parts;
  const connections = createConnectionCount(limits.connectionsPerAddress);
  const waitOf = createRateLimit(limits.requestsPerMinute, now);
  const refused = new WeakSet<Socket>();
  const unanswered = new WeakMap<Socket, number>();

  /** Why the sender has to wait; `undefined` where it has not. */
  function tooMany(request: IncomingMessage): Problem | undefined {
    const client = clientOf(request);
    // What came over the network is counted, also where a header says that it came from here.
    const isLocal = isExempt(request.socket.remoteAddress ?? "") && isExempt(client);
    const wait = isLocal ? 0 : waitOf(networkOf(client));
    if (wait === 0) return undefined;
    events.limited({ limit: "requests", client });
    return new RequestError(
      429,
      `This hub takes ${limits.requestsPerMinute} requests a minute from one address (limits.requestsPerMinute). Try again in ${wait} s.`,
      { headers: { "Retry-After": String(wait) } },
    ).problem;
  }

  return {
    watch(server) {
      server.maxConnections = limits.connections;
      server.prependListener("connection", (socket: Socket) => {
        const address = socket.remoteAddress ?? "";
        if (isExempt(address) || isProxy(address) || connections.add(networkOf(address), socket)) return;
        events.limited({ limit: "connections", client: address });
        refused.add(socket);
        // Before the handshake of TLS there are no words in which it could be told why.
        if (isSecure(server)) socket.destroy();
        else refuseConnection(socket, limits.connectionsPerAddress);
      });
    },

    isRefused: ({ socket }) => refused.has(socket),

    turnsAway(request, response) {
      const { socket } = request;
      const waiting = unanswered.get(socket) ?? 0;
      if (refused.has(socket) || waiting >= maxUnanswered) {
        // An answer would wait behind the others, and cost as much as they do.
        if (!refused.has(socket)) events.limited({ limit: "unanswered", client: clientOf(request) });
        socket.destroy();
        return true;
      }
      unanswered.set(socket, waiting + 1);
      response.once("close", () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
      return false;
    },

    admits(request, response) {
      const problem = tooMany(request);
      if (problem === undefined) return true;
      letRunOut(request);
      sendProblem(response, problem);
      return false;
    },

    admitsUpgrade(request, socket) {
      const problem = tooMany(request);
      if (problem !== undefined) refuseUpgrade(socket, 429, problem.detail, problem.headers);
      return problem === undefined;
    },

    afterRefusal(request, problem) {
      const isOfStranger = [401, 403, 404].includes(problem.status);
      return (isOfStranger ? tooMany(request) : undefined) ?? problem;
    },
  };
}

/** Milliseconds for a client to take its answer. */
const refusalTime = 1_000;

/** Before anything of it was read. */
function refuseConnection(socket: Socket, most: number): void {
  const detail = `One address may have ${most} connections to this hub (limits.connectionsPerAddress). Close some.`;
  socket.on("error", () => socket.destroy());
  refuseUpgrade(socket, 429, detail, { "Retry-After": "5" });
  setTimeout(() => socket.destroy(), refusalTime).unref();
}
