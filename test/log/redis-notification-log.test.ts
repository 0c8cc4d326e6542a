import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { Redis } from "ioredis";
import { expect, test } from "vitest";
import { type Appended, StorageUnavailable } from "../../src/log/notification-log.ts";
import { findPlace, positionAt } from "../../src/log/place-in-log.ts";
import { connectRedis } from "../../src/log/redis-connection.ts";
import { notificationLogContract } from "../contracts/notification-log.ts";
import { openEngine, silentEvents, type TestEngine } from "../support/engines.ts";
import { newNotification, testChannel } from "../support/new-notification.ts";
import { freePort } from "../../bench/harness/free-port.ts";
import { startRedisServer } from "../support/redis-server.ts";
import { waitUntil } from "../support/wait-until.ts";

notificationLogContract("redis");

const channel = testChannel();

async function appendUpTo({ log }: TestEngine, newest: number, name: string) {
  for (let { newest: at } = await log.bounds(channel); at < newest; at += 1) {
    await log.append(channel, newNotification(`<${name}-${at}/>`));
  }
  return positionAt(await log.bounds(channel), newest);
}

async function waitUntilBack({ log }: TestEngine): Promise<void> {
  await waitUntil(() => log.probe());
}

test("a position of a future that a restored backup does not know is a gap, even when its number comes again", async () => {
  await using server = await startRedisServer();
  await using engine = await openEngine("redis", { redisUrl: server.url });
  const files = join(server.directory, "appendonlydir");
  const backup = join(server.directory, "backup");
  const known = await appendUpTo(engine, 5, "kept");
  await cp(files, backup, { recursive: true });
  const lost = await appendUpTo(engine, 8, "lost");
  await server.kill();
  await rm(files, { recursive: true });
  await cp(backup, files, { recursive: true });
  await server.start();
  await waitUntilBack(engine);
  expect(findPlace(await engine.log.bounds(channel), lost).kind).toBe("gap");
  await appendUpTo(engine, 12, "other");
  const bounds = await engine.log.bounds(channel);
  expect(findPlace(bounds, lost)).toEqual({ kind: "gap", sequence: 0 });
  expect(findPlace(bounds, known)).toEqual({ kind: "held", sequence: 5 });
});

test("a position in a Redis that was emptied is a gap", async () => {
  await using server = await startRedisServer();
  await using engine = await openEngine("redis", { redisUrl: server.url });
  const position = await appendUpTo(engine, 5, "old");
  const redis = new Redis(server.url);
  await redis.flushall();
  redis.disconnect();
  expect(findPlace(await engine.log.bounds(channel), position).kind).toBe("gap");
  await appendUpTo(engine, 6, "new");
  expect(findPlace(await engine.log.bounds(channel), position).kind).toBe("gap");
});

test("a Redis that was killed and came back begins a new epoch, and positions from before stay good", async () => {
  await using server = await startRedisServer();
  await using engine = await openEngine("redis", { redisUrl: server.url });
  const before = await appendUpTo(engine, 3, "before");
  await server.kill();
  await server.start();
  await waitUntilBack(engine);
  const after = await appendUpTo(engine, 6, "after");
  const bounds = await engine.log.bounds(channel);
  expect(bounds.epochs).toHaveLength(2);
  expect(findPlace(bounds, before)).toEqual({ kind: "held", sequence: 3 });
  expect(findPlace(bounds, after)).toEqual({ kind: "held", sequence: 6 });
  await engine.log.trimBefore(channel, 6);
  await server.kill();
  await server.start();
  await waitUntilBack(engine);
  await appendUpTo(engine, 7, "third");
  const trimmed = await engine.log.bounds(channel);
  expect(
    trimmed.epochs.map(({ first }) => first),
    "the first span ended before what is held",
  ).toEqual([4, 7]);
});

test("another process is told of appends, and its own are told as its own", async () => {
  await using one = await openEngine("redis");
  await using other = await one.reopen();
  const told: Appended[] = [];
  await other.log.bounds(channel);
  other.log.onAppend((appended) => told.push(appended));
  await waitUntil(async () => {
    await one.log.append(channel, newNotification(crypto.randomUUID()));
    expect(told.length).toBeGreaterThan(0);
  });
  expect(told.every(({ local }) => !local)).toBe(true);
  told.length = 0;
  await other.log.append(channel, newNotification("<own/>"));
  await one.log.append(channel, newNotification("<last/>"));
  const { newest } = await one.log.bounds(channel);
  await waitUntil(() => expect(told.at(-1)?.newest).toBe(newest));
  expect(told.filter(({ local }) => local).map((appended) => appended.newest)).toEqual([newest - 1]);
});

test("after a reconnection listeners are told of every channel that was asked about", async () => {
  await using server = await startRedisServer();
  await using engine = await openEngine("redis", { redisUrl: server.url });
  const atlas = testChannel("atlas");
  await engine.log.append(channel, newNotification("<a/>"));
  await engine.log.bounds(atlas);
  const told: Appended[] = [];
  engine.log.onAppend((appended) => told.push(appended));
  await server.kill();
  await server.start();
  await waitUntil(() =>
    expect(new Set(told.map((appended) => appended.channel))).toEqual(new Set([channel, atlas])),
  );
  expect(told).toContainEqual({ channel, newest: 1, local: false });
});

test("without Redis an append fails at once, says that trying again can help, and works when Redis is back", async () => {
  await using server = await startRedisServer();
  await using engine = await openEngine("redis", { redisUrl: server.url });
  await engine.log.append(channel, newNotification("<a/>"));
  await server.kill();
  const begun = performance.now();
  const failure = await engine.log.append(channel, newNotification("<b/>")).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(StorageUnavailable);
  expect(failure).toMatchObject({ mayRetry: true });
  // A command that waited for Redis would wait for five seconds.
  expect(performance.now() - begun).toBeLessThan(3000);
  await server.start();
  await waitUntilBack(engine);
  expect(await engine.log.append(channel, newNotification("<b/>"))).toMatchObject({
    kind: "appended",
    entry: { sequence: 2 },
  });
});

test("a Redis that is not there is named without its password", async () => {
  const url = `redis://hub:hunter2@127.0.0.1:${await freePort()}/0`;
  const failure = await connectRedis(url, { events: silentEvents }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(StorageUnavailable);
  expect(String(failure)).toMatch(/Redis at redis:\/\/127\.0\.0\.1:\d+\/0 does not answer: .*ECONNREFUSED/);
  expect(String(failure)).not.toContain("hunter2");
});

test("the keys of a channel share the hash tag that keeps them on one node of a cluster", async () => {
  await using engine = await openEngine("redis");
  await engine.log.append(channel, newNotification("<a/>", { idempotencyKey: "k" }));
  const redis = new Redis(engine.redisUrl);
  const keys = (await redis.keys(`${engine.prefix}:*`)).filter((key) => !key.includes(":{bull}:"));
  redis.disconnect();
  const tags = keys.map((key) => /^[^{]*\{([^}]+)\}/.exec(key)?.[1]);
  expect(tags).toEqual([channel, channel, channel, channel]);
});
