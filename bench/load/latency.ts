/** The load of latency: publishes at a steady rate, and receives on one socket or at one callback, by one clock. */
import { answer } from "../harness/child.ts";
import { until } from "../harness/metrics.ts";
import { notification, numberOf } from "../harness/notification.ts";
import { quantile } from "../harness/statistics.ts";
import { startCallbackServer } from "./callback-server.ts";
import { createFrameReader } from "./frame-reader.ts";
import { publicationOf } from "./keep-alive.ts";
import { openPublisher } from "./publisher.ts";
import type { Target } from "./target.ts";
import { openWebSocket } from "./web-socket.ts";

interface Publishing {
  readonly target: Target;
  readonly perSecond: number;
  /** Until `stop` where it is left out. */
  readonly seconds?: number;
}

/** When each number was sent, until it has come. */
const sentAt = new Map<number, number>();
let latencies: number[] = [];
let number = 0;
let stopping = new AbortController();

function received(payload: Buffer): void {
  const got = numberOf(payload);
  const at = sentAt.get(got);
  if (at === undefined) return;
  latencies.push(performance.now() - at);
  sentAt.delete(got);
}

const handlers = {
  /** The log holds so many already. */
  numberFrom(held: number): void {
    number = held;
  },
  async socket({ target }: { target: Target }): Promise<void> {
    await openWebSocket(target, {}, createFrameReader(received));
  },
  /** Answers the URL. */
  async callback(): Promise<string> {
    const port = await startCallbackServer(({ body }) => {
      received(body);
      return 204;
    });
    return `http://127.0.0.1:${port}/`;
  },
  /** Sends when it is time, whether or not the ones before were answered. */
  async publish({ target, perSecond, seconds }: Publishing) {
    latencies = [];
    stopping = new AbortController();
    const count = seconds === undefined ? Number.POSITIVE_INFINITY : perSecond * seconds;
    const publisher = await openPublisher([target], 32);
    const answers: Promise<unknown>[] = [];
    const began = performance.now();
    for (let index = 0; index < count && !stopping.signal.aborted; index += 1) {
      number += 1;
      const request = publicationOf(target, notification(number));
      const wait = began + (index * 1000) / perSecond - performance.now();
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
      sentAt.set(number, performance.now());
      answers.push(publisher.publish(request));
    }
    await Promise.all(answers);
    await until(() => sentAt.size === 0, "not everything that was published has come");
    publisher.close();
    return { p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) };
  },
  stop(): void {
    stopping.abort();
  },
};
export type LatencyLoad = typeof handlers;
answer(handlers);
