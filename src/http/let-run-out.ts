import type { IncomingMessage } from "node:http";

/** Twice the largest notification that is taken unless configured otherwise: who sends more does not read the answer. */
const maxBytes = 10_000_000;

const runningOut = new WeakSet<IncomingMessage>();

/**
 * Lets the rest of a refused body run out, so that its sender reads the answer and not a reset; what does not end is cut off.
 * Calling again changes nothing.
 */
export function letRunOut(request: IncomingMessage): void {
  if (runningOut.has(request)) return;
  runningOut.add(request);
  let bytes = 0;
  request.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBytes) request.socket.destroy();
  });
  request.resume();
}
