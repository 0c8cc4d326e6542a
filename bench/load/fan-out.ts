/** The load of live-fanout: many WebSocket readers on bare sockets, and one publisher over HTTP. */
import { once } from "node:events";
import { connect } from "node:net";
import { Pool } from "undici";
import { answer } from "../harness/child.ts";
import { notification } from "../harness/notification.ts";
import { quantile } from "../harness/statistics.ts";
import { createFrameCounter } from "./frame-counter.ts";

export interface Target {
  readonly port: number;
  readonly path: string;
  readonly token: string;
}

export interface Publishing {
  readonly target: Target;
  readonly notifications: number;
  /** Publications that may wait for their answer at a time. */
  readonly window: number;
  /** Notifications a second; as fast as they are accepted where it is left out. */
  readonly perSecond?: number;
}

/** How many notifications each reader has, and when the last reader had each. */
let counts = new Uint32Array(0);
let missing = new Int32Array(0);
let lastAt = new Float64Array(0);
let firstAt = new Float64Array(0);
let isComplete = (): void => {};
let completed = 0;
let number = 0;

async function open({ target, readers, deflate }: { target: Target; readers: number; deflate: boolean }) {
  const before = counts.length;
  counts = new Uint32Array(before + readers);
  for (let from = 0; from < readers; from += 200) {
    const batch = Math.min(200, readers - from);
    await Promise.all(
      Array.from({ length: batch }, (_, index) => openOne(target, before + from + index, deflate)),
    );
  }
}

async function openOne({ port, path }: Target, reader: number, deflate: boolean): Promise<void> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  await once(socket, "connect");
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
      `Sec-WebSocket-Key: ${Buffer.alloc(16).toString("base64")}\r\n` +
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
  const count = createFrameCounter(() => received(reader));
  socket.on("data", count);
  if (head.length > end) count(head.subarray(end));
  socket.once("close", () => {
    throw new Error("the server closed a socket");
  });
}

function received(reader: number): void {
  const index = counts[reader] ?? 0;
  counts[reader] = index + 1;
  if (index >= missing.length) return;
  const left = (missing[index] ?? 0) - 1;
  missing[index] = left;
  if (left === 0) {
    lastAt[index] = performance.now();
    completed += 1;
    if (completed === missing.length) isComplete();
  }
}

async function publish({ target, notifications, window, perSecond }: Publishing) {
  counts.fill(0);
  missing = new Int32Array(notifications).fill(counts.length);
  lastAt = new Float64Array(notifications);
  firstAt = new Float64Array(notifications);
  completed = 0;
  const finished = new Promise<void>((resolve) => (isComplete = resolve));
  const pool = new Pool(`http://127.0.0.1:${target.port}`, { connections: window, pipelining: 1 });
  const began = performance.now();
  let next = 0;
  const publisher = async (): Promise<void> => {
    while (next < notifications) {
      const index = next;
      next += 1;
      if (perSecond !== undefined) await until(began + (index / perSecond) * 1000);
      firstAt[index] = performance.now();
      const { statusCode, body } = await pool.request({
        method: "POST",
        path: target.path,
        headers: { "content-type": "application/xml", authorization: `Bearer ${target.token}` },
        body: notification((number += 1)),
      });
      await body.dump();
      if (statusCode >= 300) throw new Error(`the server answered ${statusCode}`);
    }
  };
  await Promise.all(Array.from({ length: window }, publisher));
  await finished;
  const milliseconds = performance.now() - began;
  await pool.close();
  const latencies = [...lastAt].map((at, index) => at - (firstAt[index] ?? 0));
  return {
    perSecond: (counts.length * notifications * 1000) / milliseconds,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
  };
}

const until = (time: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.max(0, time - performance.now())));

const handlers = { open, publish };
export type FanOutLoad = typeof handlers;
answer(handlers);
