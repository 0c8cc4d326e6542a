import type { IncomingMessage } from "node:http";
import { createServer, type Server, type Socket } from "node:net";
import type { HubServer } from "./secure-server.ts";

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** The address cannot be listened on. */
class CannotListen extends Error {
  override name = "CannotListen";
  readonly mayRetry = false;
}

const reasons: Record<string, string> = {
  EADDRINUSE: "another program listens there; stop it, or give this hub another port (--port, listen.port)",
  EACCES: "this user may not; ports below 1024 need more rights (--port, listen.port)",
  EADDRNOTAVAIL: "this machine has no such address (--host, listen.host)",
};

/** Throws `CannotListen`. */
export function listen(server: Server, { host, port }: ListenAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const reason = reasons[error.code ?? ""] ?? error.message;
      reject(
        new CannotListen(`The hub cannot listen on ${host}, port ${port}: ${reason}.`, { cause: error }),
      );
    });
    server.listen(port, host, () => {
      server.removeAllListeners("error");
      resolve();
    });
  });
}

/** Port 0 asks for any free one; the URLs of the hub must name it before the hub listens. */
export async function freePortFor(address: ListenAddress): Promise<number> {
  const probe = createServer();
  await listen(probe, address);
  const bound = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof bound === "object" && bound !== null ? bound.port : 0;
}

/** Milliseconds between two looks at which connections have become idle. */
const idleCheck = 100;

/**
 * Lets the server stop in an orderly way: the answer takes no new connection, ends the idle ones at once and the others
 * when their request is answered, or by `deadline`. It resolves when the last has ended.
 */
export function stoppable(server: HubServer): (deadline: AbortSignal) => Promise<void> {
  const { open, unused } = watchConnections(server);

  return (deadline) =>
    new Promise((resolve) => {
      const endIdle = setInterval(() => server.closeIdleConnections(), idleCheck);
      const endAll = (): void => {
        for (const socket of open) socket.destroy();
      };
      server.close(() => {
        clearInterval(endIdle);
        deadline.removeEventListener("abort", endAll);
        resolve();
      });
      for (const socket of unused) socket.destroy();
      if (deadline.aborted) endAll();
      else deadline.addEventListener("abort", endAll, { once: true });
    });
}

/**
 * Every connection, and those on which no request has come yet: Node counts neither a client's spare one as idle, nor one
 * that waits for its handshake at all. With TLS these are the sockets below it.
 */
function watchConnections(server: HubServer) {
  const open = new Set<Socket>();
  const unused = new Set<Socket>();
  const byEnds = new Map<string, Socket>();
  const below = new WeakMap<Socket, Socket>();

  server.on("connection", (socket: Socket) => {
    // It comes again after a declined upgrade.
    if (open.has(socket)) return;
    const ends = endsOf(socket);
    open.add(socket);
    unused.add(socket);
    byEnds.set(ends, socket);
    socket.once("close", () => {
      open.delete(socket);
      unused.delete(socket);
      if (byEnds.get(ends) === socket) byEnds.delete(ends);
    });
  });
  server.on("secureConnection", (secure: Socket) => {
    const socket = byEnds.get(endsOf(secure));
    if (socket !== undefined) below.set(secure, socket);
  });
  const use = ({ socket }: IncomingMessage): void => void unused.delete(below.get(socket) ?? socket);
  server.on("request", use);
  server.prependListener("upgrade", use);
  return { open, unused };
}

/** Node names no way from a socket of TLS to the one below it; both have the same ends. */
const endsOf = ({ remoteAddress, remotePort, localAddress, localPort }: Socket): string =>
  [remoteAddress, remotePort, localAddress, localPort].join(" ");
