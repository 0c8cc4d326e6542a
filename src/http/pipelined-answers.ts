import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

const waiting = new WeakMap<Socket, Set<ServerResponse>>();

/**
 * Has an answer that waits behind others of its connection (RFC 9112 §9.3.2) close with the connection. Node tells only those
 * whose turn had come, and whoever holds something until an answer closes would hold it for ever.
 */
export function closeInTurn({ socket }: IncomingMessage, response: ServerResponse): void {
  if (response.socket !== null) return;
  const queue = waiting.get(socket) ?? queueOf(socket);
  queue.add(response);
  response.once("close", () => queue.delete(response));
}

/** With one listener for all: one for each would look like a leak to Node. */
function queueOf(socket: Socket): Set<ServerResponse> {
  const queue = new Set<ServerResponse>();
  waiting.set(socket, queue);
  socket.once("close", () => {
    for (const response of queue) {
      // What has its turn, or has had it, Node tells.
      if (response.socket === null && !response.writableFinished) response.destroy().emit("close");
    }
  });
  return queue;
}
