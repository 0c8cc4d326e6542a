import { z } from "zod";
import type { RedisConnection } from "../log/redis-connection.ts";
import { channelKeys, hubKeys } from "../log/redis-keys.ts";
import { redisScript } from "../log/redis-script.ts";
import { checkJsonRow, checkRow } from "../log/stored-row.ts";
import { storedIntent, storedSubscription } from "./stored-subscription.ts";
import type { SubscriptionStore } from "./subscription-store.ts";

/** KEYS: requests, times. ARGV: now, untouched until, limit. */
const takeOverdueScript = redisScript(`
local ids = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', ARGV[1], 'LIMIT', 0, ARGV[3])
local requests = {}
for _, id in ipairs(ids) do
  local request = redis.call('HGET', KEYS[1], id)
  if request then
    redis.call('ZADD', KEYS[2], ARGV[2], id)
    requests[#requests + 1] = request
  else
    redis.call('ZREM', KEYS[2], id)
  end
end
return requests
`);

/**
 * KEYS: subscriptions, cursors, failures, waits. ARGV: id, subscription, cursor.
 * cjson writes numbers with 14 digits, which milliseconds do not use up.
 */
const activateScript = redisScript(`
local before = redis.call('HGET', KEYS[1], ARGV[1])
local row = ARGV[2]
if before then
  local renewed = cjson.decode(row)
  renewed.createdAt = cjson.decode(before).createdAt
  row = cjson.encode(renewed)
  redis.call('HDEL', KEYS[3], ARGV[1])
  redis.call('HDEL', KEYS[4], ARGV[1])
else
  redis.call('HSET', KEYS[2], ARGV[1], ARGV[3])
end
redis.call('HSET', KEYS[1], ARGV[1], row)
return before and 'renewed' or 'created'
`);

/** KEYS: subscriptions, dead letters, cursors, failures, waits, claims. ARGV: id. */
const endScript = redisScript(`
if redis.call('HDEL', KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call('UNLINK', KEYS[2])
for index = 3, #KEYS do redis.call('HDEL', KEYS[index], ARGV[1]) end
return 1
`);

const activated = z.enum(["created", "renewed"]);

/** Subscriptions and the requests for them, in Redis hashes. */
export function createRedisSubscriptionStore(
  connection: RedisConnection,
  { prefix }: { readonly prefix: string },
): SubscriptionStore {
  const { intents, intentTimes } = hubKeys(prefix);

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
    async activate(subscription, cursor) {
      const keys = channelKeys(prefix, subscription.channel);
      const reply = await connection.run((redis) =>
        activateScript.run(
          redis,
          [keys.subscriptions, keys.cursors, keys.failures, keys.waits],
          [subscription.id, JSON.stringify(subscription), cursor],
        ),
      );
      return checkRow(activated, reply, "answer to an activation");
    },
    async end(channel, id) {
      const { subscriptions, deadLetters, cursors, failures, waits, claims } = channelKeys(prefix, channel);
      const names = [subscriptions, deadLetters(id), cursors, failures, waits, claims];
      return (await connection.run((redis) => endScript.run(redis, names, [id]))) === 1;
    },
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
