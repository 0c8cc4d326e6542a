import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { liveSubprotocol } from "../protocol/live-messages.ts";
import { closings } from "./close-codes.ts";
import { jsonSocket, type LiveFormat, plainSocket } from "./live-format.ts";
import { maxUnanswered, type Outlet, pacedStream } from "./outlet.ts";

/** Clients have nothing to say here (rule H41); a larger message is answered with close code 1009. */
const maxClientMessageBytes = 4096;
/** Messages between two pings that are passed over; a client that sends more is let go. */
const maxClientMessages = 100;

/** Completes the handshake, and calls `accept` where it succeeds; answers the request itself where it does not. */
export type Upgrade = (
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  accept: (outlet: Outlet, format: LiveFormat) => void,
) => void;

export function createUpgrade(): Upgrade {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: maxClientMessageBytes,
    // A client that offers only protocols that we do not know is answered without one, as a plain client is.
    handleProtocols: (offered) => (offered.has(liveSubprotocol) ? liveSubprotocol : false),
  });
  return (request, socket, head, accept) => {
    server.handleUpgrade(request, socket, head, (websocket) => {
      accept(
        webSocketOutlet(websocket, socket),
        websocket.protocol === liveSubprotocol ? jsonSocket : plainSocket,
      );
    });
  };
}

/**
 * Data frames go to the raw socket, already framed; `ws` writes only pings, pongs and the close frame, each at once and
 * whole, so that the two never mix within a frame.
 */
function webSocketOutlet(websocket: WebSocket, socket: Duplex): Outlet {
  const stream = pacedStream(socket);
  let unanswered = 0;
  let messages = 0;
  // A broken connection is destroyed first, and `ws` learns of it later.
  const isOpen = (): boolean => websocket.readyState === websocket.OPEN && socket.writable;
  const end: Outlet["end"] = ({ code, reason }) => websocket.close(code, reason);

  websocket.on("pong", () => {
    unanswered = 0;
  });
  websocket.on("message", () => {
    messages += 1;
    if (messages === maxClientMessages) end(closings.talkative());
  });
  // What went wrong shows in the close event that follows.
  websocket.on("error", () => {});

  // Not spread: V8 gives an object made so a hidden class of its own, and the feed would look up each method by name.
  return {
    isOpen,
    write: stream.write,
    waiting: stream.waiting,
    drained: stream.drained,
    end,
    destroy: () => websocket.terminate(),
    ping() {
      messages = 0;
      // A ping waits behind everything that the reader has not taken yet: as long as it takes some, it lives.
      if (stream.hasMoved()) unanswered = 0;
      if (unanswered >= maxUnanswered) {
        websocket.terminate();
        return;
      }
      unanswered += 1;
      if (isOpen()) websocket.ping();
    },
    onClose(listener) {
      websocket.once("close", (code) => listener(`closed with ${code}`));
    },
  };
}
