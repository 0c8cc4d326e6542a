import type { ServerResponse } from "node:http";
import { maxUnanswered, type Outlet, pacedStream } from "./outlet.ts";

/** Begins an answer of Server-Sent Events (HTML §9.2). */
export function eventStreamOutlet(response: ServerResponse): Outlet {
  const stream = pacedStream(response);
  let unmoved = 0;

  response.writeHead(200, {
    "Content-Type": "text/event-stream",
    // What was said of a private channel stays.
    "Cache-Control": response.getHeader("Cache-Control") ?? "no-cache",
    // nginx would hold events back until a buffer is full.
    "X-Accel-Buffering": "no",
  });
  response.socket?.setNoDelay(true);
  response.on("error", () => {});
  // Two to five seconds, so that readers that lost the hub together do not come back together.
  response.write(`retry: ${2_000 + Math.floor(Math.random() * 3_000)}\n\n`);

  return {
    write: stream.write,
    waiting: stream.waiting,
    taken: stream.taken,
    drained: stream.drained,
    isOpen: () => !response.writableEnded && !response.destroyed,
    end({ reason, resumeAfter }) {
      // An id without data moves the reader's Last-Event-ID and gives it no event (HTML §9.2.6).
      const id = resumeAfter === undefined ? "" : `id: ${resumeAfter}\n`;
      response.end(`: ${reason}\n${id}\n`);
    },
    destroy: () => response.destroy(),
    ping() {
      const hasMoved = stream.hasMoved();
      unmoved = response.writableLength === 0 || hasMoved ? 0 : unmoved + 1;
      if (unmoved > maxUnanswered) response.destroy();
      else if (response.writableLength === 0) response.write(":\n\n");
    },
    onClose(listener) {
      response.once("close", () =>
        listener(response.writableFinished ? "ended by the hub" : "connection closed"),
      );
    },
  };
}
