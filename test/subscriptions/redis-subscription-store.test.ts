import { Redis } from "ioredis";
import { expect, test } from "vitest";
import { channelKeys } from "../../src/log/redis-keys.ts";
import { subscriptionStoreContract } from "../contracts/subscription-store.ts";
import { openEngine } from "../support/engines.ts";
import { newSubscription } from "../support/new-subscription.ts";

subscriptionStoreContract("redis");

test("a damaged row is refused with its place and its faulty field, and without the secret in it", async () => {
  await using store = await openEngine("redis");
  const { id, channel, ...rest } = newSubscription("a", { secret: "hunter2" });
  const { subscriptions } = channelKeys(store.prefix, channel);
  const redis = new Redis(store.redisUrl);
  await redis.hset(subscriptions, id, JSON.stringify({ id, channel, ...rest, leaseSeconds: "hunter2" }));
  const damaged = await store.subscriptions.find(channel, id).catch((error: unknown) => error);
  await redis.hset(subscriptions, id, '{"secret":"hunter2"');
  redis.disconnect();
  const broken = await store.subscriptions.find(channel, id).catch((error: unknown) => error);
  expect(damaged).toMatchObject({ name: "StoredRowDamaged", mayRetry: false });
  expect(String(damaged)).toContain(`subscription ${id}`);
  expect(String(damaged)).toContain("leaseSeconds");
  expect(String(broken)).toContain("is not JSON");
  expect(`${String(damaged)} ${String(broken)}`).not.toContain("hunter2");
});
