import type { IncomingMessage } from "node:http";

/** As much as the largest body that is taken unless configured otherwise: of more, the sender does not mean well. */
const maxBytes = 5_000_000;

/** Lets the rest of a refused body run out, so that its sender reads the answer and not a reset; what does not end is cut off. */
export function letRunOut(request: IncomingMessage): void {
  let bytes = 0;
  request.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBytes) request.socket.destroy();
  });
  request.resume();
}
