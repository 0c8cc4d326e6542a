import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startCallbackServer } from "../support/callback-server.ts";
import { newNotification, testChannel } from "../support/new-notification.ts";
import { startRedisServer } from "../support/redis-server.ts";
import { startTestDelivery } from "../support/start-delivery.ts";
import { waitUntil } from "../support/wait-until.ts";

const channel = testChannel();

test("what is published after Redis came back as an older copy of itself reaches the callbacks, not what the hub still knew", async () => {
  await using redis = await startRedisServer();
  const backup = await mkdtemp(join(tmpdir(), "hub-restored-"));
  await using delivery = await startTestDelivery({ engine: "redis", redisUrl: redis.url, timeout: 60_000 });
  await using callback = await startCallbackServer();
  // One that never answers keeps the pages of the log in memory.
  callback.answerDeliveries(({ target }) => (target === "/stuck" ? { hang: true } : { status: 204 }));
  const { log } = delivery.store;
  const append = (...payloads: string[]): Promise<void> =>
    waitUntil(async () => {
      while (payloads.length > 0) {
        await log.append(channel, newNotification(payloads[0]!));
        payloads.shift();
      }
    });
  const received = (): string[] =>
    callback.deliveries.filter(({ target }) => target === "/good").map(({ body }) => body.toString());
  try {
    await delivery.subscribe(callback.url("/stuck"));
    await delivery.subscribe(callback.url("/good"));
    await append("<a/>", "<b/>");
    await waitUntil(() => expect(received()).toEqual(["<a/>", "<b/>"]));
    await rm(backup, { recursive: true });
    await cp(redis.directory, backup, { recursive: true });
    await append("<c/>", "<d/>", "<e/>", "<f/>");
    await waitUntil(() => expect(received()).toHaveLength(6));

    await redis.kill();
    await rm(redis.directory, { recursive: true });
    await cp(backup, redis.directory, { recursive: true });
    await redis.start();
    await append("<x/>", "<y/>", "<z/>");
    await waitUntil(() => expect(received().slice(-3)).toEqual(["<x/>", "<y/>", "<z/>"]), 25);
  } finally {
    await rm(backup, { recursive: true, force: true });
  }
}, 60_000);
