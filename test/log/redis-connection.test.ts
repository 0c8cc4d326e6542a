import { once } from "node:events";
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import { Redis } from "ioredis";
import { expect, test } from "vitest";
import { connectRedis } from "../../src/log/redis-connection.ts";
import { createRedisNotificationLog } from "../../src/log/redis-notification-log.ts";
import { StorageUnavailable } from "../../src/log/notification-log.ts";
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

test("a command fails at its own time limit where Redis is stuck, also one that was given while another hung", async () => {
  const commandTimeout = 2000;
  await using server = await startRedisServer();
  const connection = await connectRedis(server.url, { events: silentEvents, commandTimeout });
  const operator = new Redis(server.url);
  const waited = async (run: () => Promise<unknown>): Promise<number> => {
    const begun = performance.now();
    await expect(run()).rejects.toThrow(StorageUnavailable);
    return performance.now() - begun;
  };
  const ping = () => connection.run((redis) => redis.ping());
  try {
    await operator.call("CLIENT", "PAUSE", "60000", "ALL");
    const first = waited(ping);
    // What is given in one turn goes out together.
    for (let turn = 0; turn < 3; turn += 1) await nextTurn();
    const second = waited(ping);
    const transaction = waited(() => connection.transact((redis) => redis.get("a").get("b")));
    for (const took of await Promise.all([first, second, transaction])) {
      expect(took).toBeGreaterThan(commandTimeout - 100);
      expect(took).toBeLessThan(1.9 * commandTimeout);
    }
  } finally {
    operator.disconnect();
    await server.kill();
    await connection.close();
  }
});
