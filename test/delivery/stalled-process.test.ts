import { expect, test } from "vitest";
import { startCallbackServer } from "../support/callback-server.ts";
import { engineNames } from "../support/engines.ts";
import { testChannel } from "../support/new-notification.ts";
import { startRedisServer } from "../support/redis-server.ts";
import { startTestDelivery } from "../support/start-delivery.ts";
import { waitUntil } from "../support/wait-until.ts";

/** How long claims last here. Milliseconds. */
const takeOverAfter = 600;

/** Nothing else runs meanwhile, as when the process is stopped by a signal. */
function standStill(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

test.each(engineNames)(
  "a process that stood still for longer than its claims last does not take over from itself, %s engine",
  async (engine) => {
    // One that has no script in memory yet: what is asked first need not be answered first.
    await using redis = engine === "redis" ? await startRedisServer() : undefined;
    await using hub = await startTestDelivery({ engine, takeOverAfter, redisUrl: redis?.url });
    await using callback = await startCallbackServer();
    const channel = testChannel();
    let stalls = 3;
    callback.answerDeliveries(async () => {
      if (stalls > 0) {
        stalls -= 1;
        standStill(takeOverAfter + 100);
        void hub.store.wakeUps.wake({ channel, subscription: undefined });
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      return { status: 204 };
    });
    await hub.subscribe(callback.url());
    await hub.publish(6);
    const sequences = () =>
      callback.deliveries.map(({ headers }) => String(headers["webhook-id"]).split("-").at(-1));
    await waitUntil(() => expect(new Set(sequences()).size).toBe(6));
    expect(sequences()).toEqual(["1", "2", "3", "4", "5", "6"]);
  },
);
