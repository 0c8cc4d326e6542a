/** The load of soak: publishes steadily; readers that reconnect and resume; callbacks, of which some fail for a while. */
import { answer } from "../harness/child.ts";
import { until } from "../harness/metrics.ts";
import { notification, numberOf } from "../harness/notification.ts";
import { startCallbackServer } from "./callback-server.ts";
import { createOrder } from "./in-order.ts";
import { publicationOf } from "./keep-alive.ts";
import { openPublisher, type Publisher } from "./publisher.ts";
import { type ResumingReader, startResumingReader } from "./resuming-reader.ts";
import type { Target } from "./target.ts";

interface Starting {
  readonly target: Target;
  readonly perSecond: number;
  readonly readers: number;
}

/** A callback that fails does so for as long as it works, turn by turn. Milliseconds. */
const turn = 3000;

const order = createOrder();
let callbacks: string[] = [];
let readers: ResumingReader[] = [];
let published = 0;
let isOver = false;
let publishing: NodeJS.Timeout | undefined;
let publisher: Publisher | undefined;
const answers = new Set<Promise<unknown>>();

async function openCallback(index: number, fails: boolean): Promise<string> {
  const name = String(index);
  const port = await startCallbackServer(({ body }) => {
    const isDown = fails && !isOver && Math.floor(Date.now() / turn + index / 2) % 2 === 0;
    if (isDown) return 500;
    order.take(name, numberOf(body));
    return 204;
  });
  callbacks.push(name);
  return `http://127.0.0.1:${port}/${index}`;
}

function missing(): number {
  const atReaders = readers.reduce((sum, reader) => sum + published - reader.count(), 0);
  return atReaders + order.missing(callbacks, published);
}

const handlers = {
  /** Answers their URLs. */
  callbacks: ({ good, failing }: { good: number; failing: number }): Promise<string[]> =>
    Promise.all(Array.from({ length: good + failing }, (_, index) => openCallback(index, index >= good))),
  async start({ target, perSecond, readers: count }: Starting): Promise<void> {
    readers = await Promise.all(Array.from({ length: count }, () => startResumingReader(target)));
    publisher = await openPublisher([target], 8);
    const began = performance.now();
    let number = 0;
    publishing = setInterval(() => {
      while (number < ((performance.now() - began) * perSecond) / 1000) {
        number += 1;
        const answered = publisher?.publish(publicationOf(target, notification(number))).then(() => {
          published += 1;
          answers.delete(answered ?? Promise.resolve());
        });
        if (answered !== undefined) answers.add(answered);
      }
    }, 10);
  },
  /** Ends the publishing and the failing, and waits until everybody has everything, at most so many seconds. */
  async stop({ seconds }: { seconds: number }) {
    clearInterval(publishing);
    await Promise.all(answers);
    publisher?.close();
    isOver = true;
    for (const reader of readers) reader.stay();
    await until(() => missing() === 0, "not everybody has everything", seconds).catch(() => {});
    const { disordered, repeated } = order.faults();
    const sum = (of: (reader: ResumingReader) => number): number =>
      readers.reduce((total, reader) => total + of(reader), 0);
    return {
      published,
      missing: missing(),
      disordered: disordered + sum((reader) => reader.disordered()),
      repeated,
      reconnections: sum((reader) => reader.reconnections()),
    };
  },
};
export type SoakLoad = typeof handlers;
answer(handlers);
