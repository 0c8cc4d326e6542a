import { once } from "node:events";

import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { connectRedis } from "../../src/log/redis-connection.ts";
import { createRedisNotificationLog } from "../../src/log/redis-notification-log.ts";
import { silentEvents } from "../support/engines.ts";
import { startRedisServer } from "../support/redis-server.ts";

test("a hub that stops while its subscriptions at Redis are being made anew rejects nothing that nobody takes", async () => {
  await using server = await startRedisServer();
  const rejected: unknown[] = [];
  const note = (reason: unknown): void => void rejected.push(reason);
  process.on("unhandledRejection", note);
  try {
    // At any moment of it: a turn of the event loop later each time.
    for (let turns = 0; turns < 12; turns += 1) {
      const connection = await connectRedis(server.url, { events: silentEvents });
      const log = createRedisNotificationLog(connection, { prefix: "stopping" });
      await connection.run((redis) => redis.ping());
      const reconnected = once(connection.subscriber, "connect");
      await connection.run((redis) => redis.client("KILL", "TYPE", "PUBSUB"));
      await reconnected;
      for (let turn = 0; turn < turns; turn += 1) await nextTurn();
      connection.subscriber.disconnect();
      await Promise.all([log.close(), connection.close()]);
    }
    await pause(200);
    expect(rejected).toEqual([]);
  } finally {
    process.off("unhandledRejection", note);
  }
});
