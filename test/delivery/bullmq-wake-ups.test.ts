import { Redis } from "ioredis";
import { expect, test } from "vitest";
import type { WakeUp } from "../../src/delivery/wake-ups.ts";
import { wakeUpsContract } from "../contracts/wake-ups.ts";
import { openEngine } from "../support/engines.ts";
import { testChannel } from "../support/new-notification.ts";
import { startRedisServer } from "../support/redis-server.ts";
import { waitUntil } from "../support/wait-until.ts";

wakeUpsContract("redis");

const wakeUp: WakeUp = { channel: testChannel(), subscription: undefined };

test("a wake-up goes to one of the processes", async () => {
  await using one = await openEngine("redis");
  await using other = await one.reopen();
  const handed: string[] = [];
  await one.wakeUps.start(async () => void handed.push("one"));
  await other.wakeUps.start(async () => void handed.push("other"));
  const channels = Array.from({ length: 40 }, (_, index) => testChannel(`set${index}`));
  await Promise.all(channels.map((channel) => one.wakeUps.wake({ channel, subscription: undefined })));
  await waitUntil(() => expect(handed).toHaveLength(40));
  await Promise.all([one.wakeUps.close(), other.wakeUps.close()]);
  expect(handed).toHaveLength(40);
});

test("without Redis a wake-up neither throws nor waits, and they come again when Redis is back", async () => {
  await using server = await startRedisServer();
  await using store = await openEngine("redis", { redisUrl: server.url });
  let handed = 0;
  await store.wakeUps.start(async () => {
    handed += 1;
  });
  await store.wakeUps.wake(wakeUp);
  await waitUntil(() => expect(handed).toBe(1));
  await server.kill();
  const begun = performance.now();
  await store.wakeUps.wake(wakeUp);
  // A command that waited for Redis would wait for five seconds.
  expect(performance.now() - begun).toBeLessThan(3000);
  await server.start();
  await waitUntil(async () => {
    await store.wakeUps.wake(wakeUp);
    expect(handed).toBeGreaterThan(1);
  });
});

test("finished wake-ups leave nothing behind but what BullMQ keeps for itself", async () => {
  await using store = await openEngine("redis");
  const handed = new Set<string>();
  await store.wakeUps.start(async ({ channel }) => void handed.add(channel));
  const channels = Array.from({ length: 50 }, (_, index) => testChannel(`set${index}`));
  for (const channel of channels) await store.wakeUps.wake({ channel, subscription: undefined });
  await waitUntil(() => expect(handed.size).toBe(50));
  const redis = new Redis(store.redisUrl);
  await waitUntil(async () => {
    const keys = await redis.keys(`${store.prefix}:{bull}:wake-ups:*`);
    expect(keys.filter((key) => /:(\d+|de:.*)$/.test(key))).toEqual([]);
  });
  redis.disconnect();
});

test("closing does not wait for a Redis that is away", async () => {
  await using server = await startRedisServer();
  await using store = await openEngine("redis", { redisUrl: server.url });
  await store.wakeUps.start(async () => {});
  await server.kill();
  await store.wakeUps.wake(wakeUp);
  const begun = performance.now();
  await store.wakeUps.close();
  expect(performance.now() - begun).toBeLessThan(3000);
});
