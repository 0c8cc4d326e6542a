import { type JobsOptions, Queue, Worker } from "bullmq";
import { z } from "zod";
import { isThere, redisClient } from "../log/redis-connection.ts";
import { reportFault } from "../log/report-fault.ts";
import { checkRow } from "../log/stored-row.ts";
import type { Events } from "../observability/events.ts";
import { storedChannelId, storedSubscriptionId } from "../subscriptions/stored-subscription.ts";
import { mergeCalls } from "./merged-calls.ts";
import type { WakeUp, WakeUps } from "./wake-ups.ts";

interface BullmqWakeUpsOptions {
  readonly url: string;
  readonly prefix: string;
  readonly events: Pick<Events, "storageUnavailable" | "storageBack" | "unexpected">;
  /** How many wake-ups this process handles at a time. */
  readonly concurrency: number;
  readonly now?: () => number;
}

const storedWakeUp = z.object({
  channel: storedChannelId,
  subscription: storedSubscriptionId.nullable().transform((id) => id ?? undefined),
});

const nameOf = ({ channel, subscription }: WakeUp): string => `${channel}/${subscription ?? "all"}`;

const queueName = "wake-ups";

/**
 * A handler claims and starts work, it does not wait for it. So a job that was not renewed for this long belongs to a
 * process that died, and is handed to another one at the next look.
 */
const lockDuration = 3000;
const stalledInterval = 2000;
/** Every death of a process counts for the jobs that it had; a job that was given up would silence its channel. */
const maxStalledCount = 1_000_000;

/** BullMQ tells of every job in a stream that nobody here reads. */
const keptEvents = 100;

/** Finished jobs say nothing that the log does not. */
const kept: JobsOptions = { removeOnComplete: true, removeOnFail: true };

/** Wake-ups for several processes on one Redis, as BullMQ jobs. */
export function createBullmqWakeUps(options: BullmqWakeUpsOptions): WakeUps {
  const { url, prefix, events, concurrency, now = Date.now } = options;
  const common = { prefix: `${prefix}:{bull}` };
  const report = reportFault(events, "wake-up");
  let lost = false;
  let closing = false;
  const told = (error: unknown): void => {
    // A connection that is being closed complains of just that.
    if (closing) return;
    if (!lost)
      events.storageUnavailable({
        part: "wake-ups",
        reason: error instanceof Error ? error.message : String(error),
      });
    lost = true;
  };
  const reached = (): void => {
    if (lost) events.storageBack({ part: "wake-ups" });
    lost = false;
  };
  const adding = redisClient(url, { enableOfflineQueue: false, maxRetriesPerRequest: 0 });
  const working = redisClient(url, { enableOfflineQueue: true, maxRetriesPerRequest: null });
  for (const redis of [adding, working]) redis.on("error", told);
  const queue = new Queue(queueName, {
    ...common,
    connection: adding,
    streams: { events: { maxLen: keptEvents } },
  });
  queue.on("error", told);
  let worker: Worker | undefined;

  const add = async ({ channel, subscription }: WakeUp, jobOptions: JobsOptions): Promise<void> => {
    try {
      await queue.add("wake", { channel, subscription: subscription ?? null }, { ...kept, ...jobOptions });
      reached();
    } catch (error) {
      told(error);
    }
  };

  // Many publications in the time of one round trip need one job, not one each.
  const wake = mergeCalls(nameOf, (wakeUp: WakeUp) =>
    add(wakeUp, { deduplication: { id: nameOf(wakeUp), keepLastIfActive: true } }),
  );

  return {
    wake,
    async wakeAt(wakeUp, at) {
      const id = `${wakeUp.channel}/${wakeUp.subscription}/later`;
      // Replaces one that waits for its time; one that is being handled is followed by this one.
      const deduplication = { id, replace: true, keepLastIfActive: true };
      await add(wakeUp, { delay: Math.max(at - now(), 0), deduplication });
    },
    async start(handle) {
      const process = async ({ data }: { readonly data: unknown }): Promise<void> => {
        try {
          await handle(checkRow(storedWakeUp, data, "wake-up"));
        } catch (error) {
          report(error);
        }
      };
      worker = new Worker(queueName, process, {
        ...common,
        connection: working,
        concurrency,
        lockDuration,
        stalledInterval,
        maxStalledCount,
      });
      worker.on("error", told);
      await worker.waitUntilReady();
    },
    async close() {
      closing = true;
      // BullMQ would wait for a Redis that is away; nothing is lost without its goodbye. A connection that has just broken
      // still calls itself ready, so it is asked.
      await worker?.close(!(await isThere(working)));
      await queue.close();
      adding.disconnect();
      working.disconnect();
    },
  };
}
