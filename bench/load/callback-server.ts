/** Subscribers' servers by hand, on bare sockets: receiving must cost as little as it can, or the bench measures the receiver. */
import { once } from "node:events";
import { createServer, type Socket } from "node:net";

export interface Received {
  readonly path: string;
  readonly body: Buffer;
}

/** Listens on a port of its own. GETs are verifications and confirmed; `take` gives the status for each POST. */
export async function startCallbackServer(take: (received: Received) => number): Promise<number> {
  const server = createServer((socket) => serve(socket, take));
  server.listen({ port: 0, host: "127.0.0.1", backlog: 1024 });
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

const answers = new Map<number, Buffer>();

function answerOf(status: number): Buffer {
  const known = answers.get(status) ?? Buffer.from(`HTTP/1.1 ${status} -\r\nContent-Length: 0\r\n\r\n`);
  answers.set(status, known);
  return known;
}

function serve(socket: Socket, take: (received: Received) => number): void {
  let bytes: Buffer = Buffer.alloc(0);
  socket.setNoDelay(true);
  socket.on("error", () => {});
  socket.on("data", (chunk: Buffer) => {
    bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
    for (;;) {
      const end = bytes.indexOf("\r\n\r\n");
      if (end === -1) return;
      const head = bytes.toString("latin1", 0, end);
      const path = head.slice(head.indexOf(" ") + 1, head.indexOf(" HTTP/"));
      if (head.startsWith("GET")) {
        const challenge = new URLSearchParams(path.slice(path.indexOf("?"))).get("hub.challenge") ?? "";
        socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${challenge.length}\r\n\r\n${challenge}`);
        bytes = bytes.subarray(end + 4);
        continue;
      }
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
      const until = end + 4 + length;
      if (bytes.length < until) return;
      socket.write(answerOf(take({ path, body: bytes.subarray(end + 4, until) })));
      bytes = bytes.subarray(until);
    }
  });
}
