import type { RedisConnection } from "../log/redis-connection.ts";
import { hubKeys } from "../log/redis-keys.ts";
import { redisScript } from "../log/redis-script.ts";
import { checkJsonRow } from "../log/stored-row.ts";
import { pendingFetch } from "./pending-fetch.ts";
import type { PendingRows } from "./pending-fetches.ts";

/** KEYS: rows, times. ARGV: target, expected revision (0 where there is to be none), row (empty to remove it), when it is due. */
const replaceScript = redisScript(`
local before = redis.call('HGET', KEYS[1], ARGV[1])
local revision = before and cjson.decode(before).revision or 0
if revision ~= tonumber(ARGV[2]) then return 0 end
if ARGV[3] == '' then
  redis.call('HDEL', KEYS[1], ARGV[1])
  redis.call('ZREM', KEYS[2], ARGV[1])
else
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
  redis.call('ZADD', KEYS[2], ARGV[4], ARGV[1])
end
return 1
`);

/** Pending fetches in a Redis hash, with a sorted set of when they are due. */
export function createRedisPendingRows(
  connection: RedisConnection,
  { prefix }: { readonly prefix: string },
): PendingRows {
  const { fetches, fetchTimes } = hubKeys(prefix);
  return {
    async change(target, next) {
      for (;;) {
        const text = await connection.run((redis) => redis.hget(fetches, target));
        const before = text === null ? undefined : checkJsonRow(pendingFetch, text, `fetch of ${target}`);
        const after = next(before);
        if (after === before) return before;
        const revision = before?.revision ?? 0;
        const row = after && { ...after, revision: revision + 1 };
        const args = [target, revision, row === undefined ? "" : JSON.stringify(row), row?.dueAt ?? 0];
        const done = await connection.run((redis) => replaceScript.run(redis, [fetches, fetchTimes], args));
        if (done === 1) return row;
      }
    },
    async due(now, limit) {
      return await connection.run((redis) => redis.zrangebyscore(fetchTimes, "-inf", now, "LIMIT", 0, limit));
    },
  };
}
