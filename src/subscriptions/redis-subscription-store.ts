import { z } from "zod";
import type { ChannelId } from "../channels/channel.ts";
import type { RedisConnection } from "../log/redis-connection.ts";
import { channelKeys, hubKeys } from "../log/redis-keys.ts";
import { checkJsonRow, checkRow } from "../log/stored-row.ts";
import { activateScript, changeScript, endScript, takeOverdueScript } from "./redis-subscription-scripts.ts";
import { storedIntent, storedSubscription } from "./stored-subscription.ts";
import type { SubscriptionId } from "./subscription.ts";
import type { SubscriptionStore } from "./subscription-store.ts";

const activated = z.enum(["created", "renewed"]);

/** Subscriptions and the requests for them, in Redis hashes. */
export function createRedisSubscriptionStore(
  connection: RedisConnection,
  { prefix }: { readonly prefix: string },
): SubscriptionStore {
  const { intents, intentTimes } = hubKeys(prefix);
  const change = async (channel: ChannelId, id: SubscriptionId, changed: object): Promise<boolean> => {
    const { subscriptions } = channelKeys(prefix, channel);
    return (
      (await connection.run((redis) =>
        changeScript.run(redis, [subscriptions], [id, JSON.stringify(changed)]),
      )) === 1
    );
  };

  return {
    async remember(request, untouchedUntil) {
      await connection.transact((redis) =>
        redis
          .hset(intents, request.id, JSON.stringify(request))
          .zadd(intentTimes, untouchedUntil, request.id),
      );
    },
    async forget({ id }) {
      await connection.transact((redis) => redis.hdel(intents, id).zrem(intentTimes, id));
    },
    async takeOverdue(now, untouchedUntil, limit) {
      const reply = await connection.run((redis) =>
        takeOverdueScript.run(redis, [intents, intentTimes], [now, untouchedUntil, limit]),
      );
      const rows = checkRow(z.array(z.string()), reply, "answer about overdue requests");
      return rows.map((row) => checkJsonRow(storedIntent, row, "request"));
    },
    async activate(subscription, cursor, keepSecretUntil = 0) {
      const keys = channelKeys(prefix, subscription.channel);
      const reply = await connection.run((redis) =>
        activateScript.run(
          redis,
          [keys.subscriptions, keys.cursors, keys.failures, keys.waits],
          [subscription.id, JSON.stringify(subscription), cursor, keepSecretUntil],
        ),
      );
      return checkRow(activated, reply, "answer to an activation");
    },
    async end(channel, id) {
      const { subscriptions, deadLetters, marks, ...keys } = channelKeys(prefix, channel);
      const { cursors, failures, waits, claims, resends } = keys;
      const names = [subscriptions, deadLetters(id), marks(id), cursors, failures, waits, claims, resends];
      return (await connection.run((redis) => endScript.run(redis, names, [id]))) === 1;
    },
    setExhausted: (channel, id, exhausted) => change(channel, id, { exhausted: exhausted ?? "" }),
    rotateSecret: (channel, id, secret, until) => change(channel, id, { secret, keepSecretUntil: until }),
    async find(channel, id) {
      const { subscriptions } = channelKeys(prefix, channel);
      const row = await connection.run((redis) => redis.hget(subscriptions, id));
      return row === null ? undefined : checkJsonRow(storedSubscription, row, `subscription ${id}`);
    },
    async list(channel) {
      const { subscriptions } = channelKeys(prefix, channel);
      const rows = await connection.run((redis) => redis.hgetall(subscriptions));
      return Object.entries(rows).map(([id, row]) =>
        checkJsonRow(storedSubscription, row, `subscription ${id}`),
      );
    },
  };
}
