/** HTTP by hand on one connection that stays open: sending must cost as little as it can, or the bench measures the sender. */
import { once } from "node:events";
import { connect } from "node:net";
import type { Target } from "./target.ts";

export interface Answer {
  readonly status: number;
  readonly body: string;
}

export interface KeepAlive {
  /** One at a time. */
  send(request: Buffer): Promise<Answer>;
  close(): void;
}

/** The bytes of a publication. */
export function publicationOf({ port, path, token }: Target, body: Buffer): Buffer {
  const head =
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/xml\r\n` +
    `Authorization: Bearer ${token}\r\nContent-Length: ${body.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}

const nothing = Buffer.alloc(0);

/** A server may close a connection that was idle between two rounds: the next request opens another one. */
export async function connectTo(port: number): Promise<KeepAlive> {
  let connection = await openConnection(port);
  return {
    async send(request) {
      if (!connection.isOpen()) connection = await openConnection(port);
      return connection.send(request);
    },
    close: () => connection.close(),
  };
}

interface Connection extends KeepAlive {
  isOpen(): boolean;
}

async function openConnection(port: number): Promise<Connection> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  await once(socket, "connect");
  let arrived: Buffer = nothing;
  let isOpen = true;
  let settle = (_answer: Answer): void => {};
  let fail = (_error: Error): void => {};
  socket.on("data", (chunk: Buffer) => {
    arrived = arrived.length === 0 ? chunk : Buffer.concat([arrived, chunk]);
    const answer = answerIn(arrived);
    if (answer === undefined) return;
    arrived = nothing;
    settle(answer);
  });
  const end = (error: Error): void => {
    isOpen = false;
    fail(error);
  };
  socket.on("error", end);
  socket.on("end", () => end(new Error("the server closed the connection")));
  socket.on("close", () => end(new Error("the server closed the connection")));
  return {
    isOpen: () => isOpen,
    send: (request) =>
      new Promise((resolve, reject) => {
        [settle, fail] = [resolve, reject];
        socket.write(request);
      }),
    close: () => void socket.destroy(),
  };
}

/** `undefined` until all of it is there. */
function answerIn(bytes: Buffer): Answer | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const head = bytes.toString("latin1", 0, end);
  const status = Number(head.slice(9, 12));
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined && /\r\ntransfer-encoding: *chunked/i.test(head)) {
    const isWhole = bytes.toString("latin1", bytes.length - 5) === "0\r\n\r\n";
    return isWhole ? { status, body: bytes.toString("latin1", end + 4) } : undefined;
  }
  if (bytes.length < end + 4 + Number(length ?? 0)) return undefined;
  return { status, body: bytes.toString("latin1", end + 4) };
}
