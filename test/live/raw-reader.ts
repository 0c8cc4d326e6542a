import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** A reader on a bare socket, which sees the bytes of the wire. */
export interface RawReader extends Disposable {
  readonly socket: Socket;
  /** The head of the answer to the handshake. */
  readonly head: string;
  /** The whole frames that have come, headers and all. */
  frames(): Frame[];
}

interface Frame {
  /** FIN, RSV1 to RSV3 and opcode (RFC 6455 §5.2). */
  readonly firstByte: number;
  readonly payload: Buffer;
}

/** Connects with these header lines besides the usual ones. */
export async function connectRaw(url: string, headers: readonly string[]): Promise<RawReader> {
  const { port, pathname, search } = new URL(url);
  const socket = connect({ port: Number(port), host: "127.0.0.1" });
  await once(socket, "connect");
  const lines = [
    `GET ${pathname}${search} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    `Sec-WebSocket-Key: ${Buffer.alloc(16).toString("base64")}`,
    ...headers,
  ];
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  let bytes: Buffer = Buffer.alloc(0);
  socket.on("error", () => {});
  const ended = once(socket, "close");
  socket.on("data", (chunk: Buffer) => (bytes = Buffer.concat([bytes, chunk])));
  while (!bytes.includes("\r\n\r\n")) await Promise.race([once(socket, "data"), ended]);
  const end = bytes.indexOf("\r\n\r\n") + 4;
  return {
    socket,
    head: bytes.toString("latin1", 0, end),
    frames: () => framesIn(bytes.subarray(end)),
    [Symbol.dispose]: () => void socket.destroy(),
  };
}

function framesIn(bytes: Buffer): Frame[] {
  const frames: Frame[] = [];
  for (let at = 0; at + 2 <= bytes.length;) {
    const short = bytes[at + 1] ?? 0;
    const header = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (at + header > bytes.length) break;
    const length =
      short < 126
        ? short
        : short === 126
          ? bytes.readUInt16BE(at + 2)
          : Number(bytes.readBigUInt64BE(at + 2));
    const end = at + header + length;
    if (end > bytes.length) break;
    frames.push({ firstByte: bytes[at] ?? 0, payload: bytes.subarray(at + header, end) });
    at = end;
  }
  return frames;
}
