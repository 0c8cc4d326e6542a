import type { DeliveryBaseline, Deliveries } from "../baselines/callback-loops.ts";
import type { CallbacksLoad } from "../load/callbacks.ts";
import { publicationOf } from "../load/keep-alive.ts";
import { inParallel, openPublisher } from "../load/publisher.ts";
import { subscribeAll } from "../load/subscribe.ts";
import { type Child, startChild } from "./child.ts";
import { type HubOptions, type HubUnderTest, startHubUnderTest, token } from "./hub-under-test.ts";
import { metricOf, until } from "./metrics.ts";
import { notification } from "./notification.ts";
import { startRedis } from "./redis-server.ts";
import { fileOf } from "./server.ts";

/** Somebody who delivers notifications to all callbacks; resolves when each is acknowledged, and what he keeps is stored. */
export interface Deliverer extends AsyncDisposable {
  deliver(notifications: number): Promise<void>;
}

type Receiver = Child<CallbacksLoad>;

/** Publications under way. */
const window = 16;

/** The hub, as one process or several on one Redis, with a subscription for each callback. */
export async function deliverByHub(
  options: HubOptions,
  processes: number,
  receiver: Receiver,
  callbacks: readonly string[],
): Promise<Deliverer> {
  const first = await startHubUnderTest(options);
  const hubs: HubUnderTest[] = [first];
  while (hubs.length < processes) hubs.push(await startHubUnderTest({ ...options, beside: first }));
  await subscribeAll(first, callbacks);
  const targets = hubs.map(({ port, path }) => ({ port, path, token }));
  const publisher = await openPublisher(targets, window);
  let number = 0;
  const delivered = (): Promise<number> =>
    metricOf(hubs, "hub_delivery_attempts_total", 'outcome="delivered"');
  return {
    async deliver(notifications) {
      const expected = (await delivered()) + notifications * callbacks.length;
      await inParallel(notifications, window, () => {
        number += 1;
        return publisher.publish(publicationOf(targets[0] ?? noTarget(), notification(number)));
      });
      await receiver.ask("received", undefined);
      // Counted when the cursor is stored.
      await until(async () => (await delivered()) >= expected, "the hub has not stored all cursors");
    },
    async [Symbol.asyncDispose]() {
      publisher.close();
      for (const hub of hubs.toReversed()) await hub[Symbol.asyncDispose]();
    },
  };
}

function noTarget(): never {
  throw new Error("no target");
}

/** One of the programs of bench/baselines. */
export async function deliverByLoops(
  how: Deliveries["how"],
  callbacks: readonly string[],
): Promise<Deliverer> {
  const child = await startChild<DeliveryBaseline>(fileOf("baselines/callback-loops.ts"));
  return {
    deliver: (notifications) => child.ask("deliver", { callbacks, notifications, how }),
    [Symbol.asyncDispose]: child[Symbol.asyncDispose],
  };
}

/** Jobs of BullMQ on a Redis of their own. */
export async function deliverByJobs(callbacks: readonly string[]): Promise<Deliverer> {
  const redis = await startRedis();
  const child = await startChild<DeliveryBaseline>(fileOf("baselines/callback-jobs.ts"), [redis.url]);
  return {
    deliver: (notifications) => child.ask("deliver", { callbacks, notifications, how: "request" }),
    async [Symbol.asyncDispose]() {
      await child[Symbol.asyncDispose]();
      await redis[Symbol.asyncDispose]();
    },
  };
}

/** Deliveries a second: after a first run in which everything is compiled and connected. */
export async function measureDeliveries(
  deliverer: Deliverer,
  receiver: Receiver,
  subscriptions: number,
  notifications: number,
  inOrder = true,
): Promise<number> {
  const run = async (count: number): Promise<number> => {
    await receiver.ask("expect", { deliveries: count * subscriptions, inOrder });
    const began = performance.now();
    await deliverer.deliver(count);
    await receiver.ask("received", undefined);
    return performance.now() - began;
  };
  await run(Math.ceil(notifications / 5));
  return (notifications * subscriptions * 1000) / (await run(notifications));
}
