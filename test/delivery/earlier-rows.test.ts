import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { expect, test } from "vitest";
import { z } from "zod";
import { openEmbeddedEnvironment } from "../../src/log/embedded-environment.ts";
import { channelKeys } from "../../src/log/redis-keys.ts";
import { openEngine, type TestEngine } from "../support/engines.ts";
import { testChannel } from "../support/new-notification.ts";
import { newSubscription } from "../support/new-subscription.ts";

// Rows as version 0.1.0 wrote them: a pause was a word, answers and the places of letters were not kept.
const channel = testChannel();
const { previousSecret: _, exhausted: __, ...subscription } = newSubscription("a");
const { id } = subscription;
const last = { at: 1000, milliseconds: 12, status: 503, reason: "answered 503" };
const failing = { attempts: 2, firstFailedAt: 900, nextAttemptAt: 2000, last };
const letter = { channel, subscription: id, sequence: 3, attempts: 9, firstFailedAt: 900, last };

async function expectReadable(store: TestEngine): Promise<void> {
  const progress = await store.ledger.progress(channel, id);
  expect(progress).toEqual({
    cursor: 4,
    failing,
    paused: { at: 1000, because: "exhausted", note: undefined },
  });
  expect(await store.ledger.claim(channel, "all", 5000)).toEqual([]);
  expect(await store.deadLetters.page(channel, id, { after: 0, limit: 9 })).toEqual([
    { ...letter, parkedAt: 1012 },
  ]);
  expect(await store.subscriptions.activate(newSubscription("a"), 0), "also a renewal").toBe("renewed");
  expect((await store.ledger.progress(channel, id))?.paused).toBeUndefined();
}

test("rows of an earlier version can be read, redis engine", async () => {
  await using store = await openEngine("redis");
  const keys = channelKeys(store.prefix, channel);
  const redis = new Redis(store.redisUrl);
  await redis.hset(keys.subscriptions, id, JSON.stringify(subscription));
  await redis.hset(keys.cursors, id, 4);
  await redis.hset(keys.failures, id, JSON.stringify(failing));
  await redis.hset(keys.waits, id, "paused");
  await redis.hset(keys.deadLetters(id), 3, JSON.stringify(letter));
  redis.disconnect();
  await expectReadable(store);
});

test("rows of an earlier version can be read, embedded engine", async () => {
  const directory = await mkdtemp(join(tmpdir(), "hub-earlier-"));
  const environment = await openEmbeddedEnvironment(directory);
  await environment.write((changing) => {
    const put = (table: string, key: (string | number)[], row: unknown): void =>
      environment.table(table, z.unknown()).within(changing).put(key, row);
    put("subscriptions", [channel, id], subscription);
    put("cursors", [channel, id], 4);
    put("failures", [channel, id], { paused: true, failing });
    put("dead-letters", [channel, id, 3], letter);
  });
  await environment.close();
  {
    await using store = await openEngine("embedded", { directory });
    await expectReadable(store);
  }
  await rm(directory, { recursive: true });
});
