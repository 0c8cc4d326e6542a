/** The load of live-fanout: many WebSocket readers on bare sockets, and one publisher over HTTP. */
import { answer } from "../harness/child.ts";
import { notification, numberOf } from "../harness/notification.ts";
import { quantile } from "../harness/statistics.ts";
import { createFrameCounter } from "./frame-counter.ts";
import { createFrameReader } from "./frame-reader.ts";
import { publicationOf } from "./keep-alive.ts";
import { inParallel, openPublisher } from "./publisher.ts";
import type { Target } from "./target.ts";
import { openWebSocket } from "./web-socket.ts";

interface Opening {
  /** The readers are spread over them. */
  readonly targets: readonly Target[];
  readonly readers: number;
  readonly deflate: boolean;
}

interface Publishing {
  readonly targets: readonly Target[];
  readonly notifications: number;
  /** Publications that may wait for their answer at a time. */
  readonly window: number;
}

/** How many notifications each reader has, and when the last reader had each. */
let counts = new Uint32Array(0);
let missing = new Int32Array(0);
let lastAt = new Float64Array(0);
let isComplete = (): void => {};
let completed = 0;
let number = 0;
/**
 * The numbers in the order in which the first reader got them, which is that of all: several publications are under way at
 * a time, and to read the numbers of all readers would cost too much.
 */
let order: number[] = [];

async function open({ targets, readers, deflate }: Opening): Promise<void> {
  counts = new Uint32Array(readers);
  await inParallel(readers, 200, async (reader) => {
    const target = targets[reader % targets.length];
    if (target === undefined) throw new Error("no target");
    const count = createFrameCounter(() => received(reader));
    const read = createFrameReader((payload) => order.push(numberOf(payload)));
    const socket = await openWebSocket(target, { deflate }, (chunk) => {
      if (reader === 0) read(chunk);
      count(chunk);
    });
    socket.once("close", () => {
      throw new Error("the server closed a socket");
    });
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

async function publish({ targets, notifications, window }: Publishing) {
  counts.fill(0);
  missing = new Int32Array(notifications).fill(counts.length);
  lastAt = new Float64Array(notifications);
  completed = 0;
  order = [];
  const sentAt = new Map<number, number>();
  const finished = new Promise<void>((resolve) => (isComplete = resolve));
  const [first] = targets;
  if (first === undefined) throw new Error("no target");
  const publisher = await openPublisher(targets, window);
  const began = performance.now();
  await inParallel(notifications, window, async () => {
    number += 1;
    const request = publicationOf(first, notification(number));
    sentAt.set(number, performance.now());
    await publisher.publish(request);
  });
  await finished;
  const milliseconds = performance.now() - began;
  publisher.close();
  const latencies = order.map((sent, index) => (lastAt[index] ?? 0) - (sentAt.get(sent) ?? Number.NaN));
  return {
    perSecond: (counts.length * notifications * 1000) / milliseconds,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
  };
}

const handlers = { open, publish };
export type FanOutLoad = typeof handlers;
answer(handlers);
