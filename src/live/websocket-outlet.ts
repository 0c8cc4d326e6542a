import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { liveSubprotocol, plainSubprotocol } from "../protocol/live-subprotocols.ts";
import { acceptableOffer } from "../protocol/permessage-deflate.ts";
import { closings } from "./close-codes.ts";
import { deflatedSocket, jsonSocket, type LiveFormat, plainSocket } from "./live-format.ts";
import { watchInbound } from "./inbound-allowance.ts";
import { maxUnanswered, type Outlet, pacedStream } from "./outlet.ts";

/** Clients have nothing to say here (rule H41); a larger message is answered with close code 1009. */
const maxClientMessageBytes = 4096;
/** Messages and pings between two pings of ours that are passed over; a client that sends more is let go. */
const maxClientMessages = 100;

/** What both know of these, the hub speaks; the first one rather than the second. */
const known = [liveSubprotocol, plainSubprotocol];

/** Completes the handshake, and calls `accept` where it succeeds; answers the request itself where it does not. */
export type Upgrade = (
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  accept: (outlet: Outlet, format: LiveFormat) => void,
) => void;

/** `deflate`: whether permessage-deflate is agreed on with clients that offer it. */
export function createUpgrade({ deflate }: { readonly deflate: boolean }): Upgrade {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    // `ws` answers the offer and reads what clients compress; what we send is compressed before, once for all readers. A
    // compressor that keeps its context would be one for each reader, and so would a client's be for what it sends.
    perMessageDeflate: deflate && { serverNoContextTakeover: true, clientNoContextTakeover: true },
    maxPayload: maxClientMessageBytes,
    // A client that offers only protocols that we do not know is answered without one, as a plain client is.
    handleProtocols: (offered) => known.find((protocol) => offered.has(protocol)) ?? false,
  });
  return (request, socket, head, accept) => {
    leaveOneOffer(request);
    server.handleUpgrade(request, socket, head, (websocket) => {
      accept(webSocketOutlet(websocket, socket), formatFor(websocket));
    });
  };
}

/** `ws` would answer 400 to offers that are only to be declined (RFC 7692 §7.1). Messages of JSON are not compressed. */
function leaveOneOffer({ headers }: IncomingMessage): void {
  const isJson = headers["sec-websocket-protocol"]?.includes(liveSubprotocol) === true;
  const offer = isJson ? undefined : acceptableOffer(headers["sec-websocket-extensions"] ?? "");
  if (offer === undefined) delete headers["sec-websocket-extensions"];
  else headers["sec-websocket-extensions"] = offer;
}

function formatFor({ protocol, extensions }: WebSocket): LiveFormat {
  if (protocol === liveSubprotocol) return jsonSocket;
  return extensions === "" ? plainSocket : deflatedSocket;
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
  const count = (): void => {
    messages += 1;
    if (messages === maxClientMessages) end(closings.talkative());
    // Each ping is answered, and a client that does not read leaves the answers in memory.
    if (messages > 2 * maxClientMessages) websocket.terminate();
  };
  websocket.on("message", count).on("ping", count);
  const inbound = watchInbound(socket, {
    tooMuch: () => end(closings.talkative()),
    flood: () => websocket.terminate(),
  });
  // What went wrong shows in the close event that follows.
  websocket.on("error", () => {});

  // Not spread: V8 gives an object made so a hidden class of its own, and the feed would look up each method by name.
  return {
    isOpen,
    write: stream.write,
    waiting: stream.waiting,
    taken: stream.taken,
    drained: stream.drained,
    end,
    destroy: () => websocket.terminate(),
    ping() {
      messages = 0;
      inbound.forget();
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
