import type { Socket } from "node:net";

interface ConnectionCount {
  /** `false` where the client has `most` already. A connection that comes again, as after a declined upgrade, is counted once. */
  add(client: string, socket: Socket): boolean;
}

/** How many connections each client has open. */
export function createConnectionCount(most: number): ConnectionCount {
  const open = new Map<string, number>();
  const known = new WeakSet<Socket>();

  return {
    add(client, socket) {
      if (known.has(socket)) return true;
      const count = open.get(client) ?? 0;
      if (count >= most) return false;
      known.add(socket);
      open.set(client, count + 1);
      socket.once("close", () => {
        const left = (open.get(client) ?? 1) - 1;
        if (left === 0) open.delete(client);
        else open.set(client, left);
      });
      return true;
    },
  };
}
