import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { Target } from "./target.ts";

export interface SocketOptions {
  readonly deflate?: boolean;
  /** Where to resume. */
  readonly after?: string;
  readonly subprotocol?: string;
}

/** A pong that nobody asked for (RFC 6455 §5.5.3), masked as a client's frames are: a sign of life. */
const pong = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);
/** Milliseconds, less than the hub waits. */
const pongInterval = 25_000;

/** A WebSocket reader on a bare socket. `take` gets every byte after the handshake. */
export async function openWebSocket(
  { port, path }: Target,
  { deflate = false, after, subprotocol }: SocketOptions,
  take: (bytes: Buffer) => void,
): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  await once(socket, "connect");
  socket.write(
    `GET ${path}${after === undefined ? "" : `?after=${after}`} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n` +
      "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n" +
      `Sec-WebSocket-Key: ${Buffer.alloc(16).toString("base64")}\r\n` +
      (subprotocol === undefined ? "" : `Sec-WebSocket-Protocol: ${subprotocol}\r\n`) +
      (deflate ? "Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover\r\n" : "") +
      "\r\n",
  );
  let head = Buffer.alloc(0);
  while (!head.includes("\r\n\r\n")) {
    const [chunk]: Buffer[] = await once(socket, "data");
    head = Buffer.concat([head, chunk ?? Buffer.alloc(0)]);
  }
  const end = head.indexOf("\r\n\r\n") + 4;
  const text = head.toString("latin1", 0, end);
  if (!text.startsWith("HTTP/1.1 101")) throw new Error(text);
  if (deflate && !/permessage-deflate/i.test(text)) throw new Error("no permessage-deflate was agreed on");
  const alive = setInterval(() => socket.write(pong), pongInterval);
  socket.once("close", () => clearInterval(alive));
  socket.on("data", take);
  if (head.length > end) take(head.subarray(end));
  return socket;
}
