import { z } from "zod";
import type { RedisConnection } from "../log/redis-connection.ts";
import { channelKeys } from "../log/redis-keys.ts";
import { redisScript } from "../log/redis-script.ts";
import { checkJsonRow } from "../log/stored-row.ts";
import { storedMark, storedPending, storedSchedule } from "./stored-watch.ts";
import type { PendingNotification, WatchStore } from "./watch-store.ts";

const base64 = z.string().transform((text) => Buffer.from(text, "base64"));
const pendingRow = storedPending.extend({ payload: base64, seen: base64 });

function writtenPending({ payload, seen, ...rest }: PendingNotification): string {
  return JSON.stringify({ ...rest, payload: payload.toString("base64"), seen: seen.toString("base64") });
}

/** KEYS: watch. ARGV: expected revision, mark, whether there are digests, digests, notification on its way or empty. */
const changeScript = redisScript(`
if (redis.call('HGET', KEYS[1], 'revision') or '0') ~= ARGV[1] then return 0 end
redis.call('HINCRBY', KEYS[1], 'revision', 1)
redis.call('HSET', KEYS[1], 'mark', ARGV[2])
if ARGV[3] == '1' then redis.call('HSET', KEYS[1], 'seen', ARGV[4]) end
if ARGV[5] == '' then redis.call('HDEL', KEYS[1], 'pending') else redis.call('HSET', KEYS[1], 'pending', ARGV[5]) end
return 1
`);

/** KEYS: claim. ARGV: holder, milliseconds. */
const claimScript = redisScript(`
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
`);

/** KEYS: claim. ARGV: holder. */
const releaseScript = redisScript(`
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
`);

/** KEYS: schedule, claim. ARGV: schedule, holder. */
const concludeScript = redisScript(`
redis.call('SET', KEYS[1], ARGV[1])
if redis.call('GET', KEYS[2]) == ARGV[2] then redis.call('DEL', KEYS[2]) end
`);

/** Several processes, one Redis: the mark, its digests and what is on its way in one hash. */
export function createRedisWatchStore(
  connection: RedisConnection,
  { prefix }: { readonly prefix: string },
): WatchStore {
  return {
    async read(channel) {
      const { watch } = channelKeys(prefix, channel);
      const reply = await connection.run((redis) =>
        redis.hmgetBuffer(watch, "revision", "mark", "seen", "pending"),
      );
      const [revision, mark, seen, pending] = reply;
      if (!revision || !mark) return undefined;
      return {
        revision: Number(revision.toString()),
        mark: checkJsonRow(storedMark, mark.toString(), `watch of ${channel}`),
        seen: seen ?? Buffer.alloc(0),
        pending: pending ? checkJsonRow(pendingRow, pending.toString(), `watch of ${channel}`) : undefined,
      };
    },
    async change(channel, expected, { mark, seen, pending }) {
      const { watch } = channelKeys(prefix, channel);
      const onItsWay = pending === undefined ? "" : writtenPending(pending);
      const given = [expected, JSON.stringify(mark), seen === undefined ? 0 : 1, seen ?? "", onItsWay];
      return (await connection.run((redis) => changeScript.run(redis, [watch], given))) === 1;
    },
    async schedule(channel) {
      const { watchSchedule } = channelKeys(prefix, channel);
      const found = await connection.run((redis) => redis.get(watchSchedule));
      return found === null ? undefined : checkJsonRow(storedSchedule, found, `watch schedule of ${channel}`);
    },
    async claim(channel, holder, _now, lapse) {
      const { watchClaim } = channelKeys(prefix, channel);
      return (await connection.run((redis) => claimScript.run(redis, [watchClaim], [holder, lapse]))) === 1;
    },
    async release(channel, holder) {
      const { watchClaim } = channelKeys(prefix, channel);
      await connection.run((redis) => releaseScript.run(redis, [watchClaim], [holder]));
    },
    async conclude(channel, holder, schedule) {
      const { watchSchedule, watchClaim } = channelKeys(prefix, channel);
      const given = [JSON.stringify(schedule), holder];
      await connection.run((redis) => concludeScript.run(redis, [watchSchedule, watchClaim], given));
    },
  };
}
