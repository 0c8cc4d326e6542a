/**
 * As little as can be done in Node: the frame is built once, what comes in one turn of the event loop is joined, and each raw
 * socket gets one write. With `deflate`, the frame is compressed once for all.
 */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { deflateRawSync, constants } from "node:zlib";
import { answer } from "../harness/child.ts";
import { portOf, readBody } from "./http-server.ts";

const isDeflating = process.argv.includes("deflate");
const sockets = new Set<Duplex>();
let frames: Buffer[] = [];
let answers: ServerResponse[] = [];

function frameOf(payload: Buffer): Buffer {
  const body = isDeflating
    ? deflateRawSync(payload, { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, -4)
    : payload;
  const header = Buffer.from([isDeflating ? 0xc1 : 0x81, 126, body.length >> 8, body.length & 0xff]);
  return Buffer.concat(
    body.length < 126 ? [Buffer.from([header[0] ?? 0, body.length]), body] : [header, body],
  );
}

function flush(): void {
  const joined = Buffer.concat(frames);
  const told = answers;
  frames = [];
  answers = [];
  for (const socket of sockets) socket.write(joined);
  for (const response of told) response.writeHead(202).end();
}

const server = createServer((request, response) => {
  void readBody(request).then((body) => {
    if (frames.length === 0) setImmediate(flush);
    frames.push(frameOf(body));
    answers.push(response);
  });
});
server.on("upgrade", (request, socket) => {
  const key = `${request.headers["sec-websocket-key"] ?? ""}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
      (isDeflating ? "Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover\r\n" : "") +
      `Sec-WebSocket-Accept: ${createHash("sha1").update(key).digest("base64")}\r\n\r\n`,
  );
  sockets.add(socket);
  socket.on("error", () => {});
  socket.on("close", () => sockets.delete(socket));
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
answer({ port: () => portOf(server) });
