import type { Duplex } from "node:stream";

/** Bytes that a client may send between two pings of ours: a hundred small messages, pongs and pings. */
const maxBytes = 131_072;

/**
 * Counts what a client sends, whatever it is: pings, fragments that never end, pongs that nobody asked for. Each costs time, and a
 * ping is answered by a pong, which a client that does not read leaves in memory. `tooMuch` is called once, and `flood` when the client
 * goes on and on.
 */
export function watchInbound(socket: Duplex, on: { tooMuch: () => void; flood: () => void }) {
  let received = 0;
  socket.on("data", (chunk: Buffer) => {
    const before = received;
    received += chunk.length;
    if (before <= maxBytes && received > maxBytes) on.tooMuch();
    if (received > 2 * maxBytes) on.flood();
  });
  return { forget: () => void (received = 0) };
}
