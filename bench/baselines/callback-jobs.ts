/** Delivering as many do: one BullMQ job for each delivery, signed and posted by a worker. `callback-jobs.ts REDIS-URL` */
import { Queue, Worker } from "bullmq";
import { Agent, request } from "undici";
import { answer } from "../harness/child.ts";
import { notification } from "../harness/notification.ts";
import { secretOf } from "../load/subscribe.ts";
import type { Deliveries } from "./callback-loops.ts";
import { signedHeaders } from "./signed-headers.ts";

interface Job {
  readonly callback: string;
  readonly number: number;
}

const { hostname: host, port } = new URL(process.argv[2] ?? "");
const connection = { host, port: Number(port), maxRetriesPerRequest: null };
const queue = new Queue<Job>("deliveries", { connection });
const agent = new Agent({ connections: 64 });
/** Kept in memory, which is kind to the baseline: the jobs only name them. */
const bodies = new Map<number, Buffer>();
let number = 0;
let missing = 0;
let finish = (): void => {};

const worker = new Worker<Job>(
  "deliveries",
  async ({ data }) => {
    const { callback } = data;
    const body = bodies.get(data.number) ?? Buffer.alloc(0);
    const headers = signedHeaders(secretOf(callback), body);
    const answered = await request(callback, { method: "POST", headers, body, dispatcher: agent });
    await answered.body.dump();
    if (answered.statusCode >= 300) throw new Error(`the callback answered ${answered.statusCode}`);
  },
  { connection, concurrency: 128 },
);
worker.on("completed", () => {
  missing -= 1;
  if (missing === 0) finish();
});
worker.on("failed", (_job, error) => {
  throw error;
});
await worker.waitUntilReady();

/** Jobs that are added in one go. */
const batch = 1000;

answer({
  async deliver({ callbacks, notifications }: Deliveries): Promise<void> {
    bodies.clear();
    missing = callbacks.length * notifications;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    for (let sent = 0; sent < notifications; sent += 1) {
      number += 1;
      bodies.set(number, notification(number));
      for (let at = 0; at < callbacks.length; at += batch) {
        const some = callbacks.slice(at, at + batch);
        const jobOf = (callback: string) => ({
          name: "deliver",
          data: { callback, number },
          opts: { removeOnComplete: true, removeOnFail: true },
        });
        await queue.addBulk(some.map(jobOf));
      }
    }
    await finished;
  },
});
