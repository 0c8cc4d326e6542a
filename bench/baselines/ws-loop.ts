/** The usual way: `ws`, and `send` of the text to each client. With `deflate`, as `ws` compresses: once for each. */
import { once } from "node:events";
import { createServer } from "node:http";
import { WebSocketServer } from "ws";
import { answer } from "../harness/child.ts";
import { portOf, readBody } from "./http-server.ts";

const isDeflating = process.argv.includes("deflate");
const server = createServer((request, response) => {
  void readBody(request).then((body) => {
    const text = body.toString("utf8");
    for (const socket of sockets.clients) socket.send(text);
    // Answered when the system has taken it all, or a fast publisher would fill the memory.
    setImmediate(() => response.writeHead(202).end());
  });
});
const sockets = new WebSocketServer({
  server,
  perMessageDeflate: isDeflating ? { serverNoContextTakeover: true, threshold: 0 } : false,
});
server.listen(0, "127.0.0.1");
await once(server, "listening");

const handlers = { port: () => portOf(server) };
export type BaselineServer = typeof handlers;
answer(handlers);
