import { z } from "zod";
import type { ChannelId } from "../channels/channel.ts";
import type { RedisConnection } from "../log/redis-connection.ts";
import { channelKeys } from "../log/redis-keys.ts";
import { redisScript } from "../log/redis-script.ts";
import { checkJsonRow, checkRow } from "../log/stored-row.ts";
import type { ClosedLists } from "./closed-lists.ts";
import { placeOfOpen, storedClosedList, storedOpenList } from "./stored-lists.ts";

/**
 * KEYS: lists, and of a closed list also closed lists and its document.
 * ARGV: place of the list that is open (empty: none), place and row of the next one, when; number, row and document of the closed one.
 */
const openScript = redisScript(`
if (redis.call('HGET', KEYS[1], 'place') or '') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'place', ARGV[2], 'open', ARGV[3], 'changedAt', ARGV[4])
if KEYS[2] then
  redis.call('HSET', KEYS[2], ARGV[5], ARGV[6])
  redis.call('SET', KEYS[3], ARGV[7])
end
return 1
`);

/** KEYS: lists. ARGV: number. */
const markScript = redisScript(`
if tonumber(redis.call('HGET', KEYS[1], 'announced') or '0') < tonumber(ARGV[1]) then
  redis.call('HSET', KEYS[1], 'announced', ARGV[1])
end
`);

const fields = z.object({
  open: z.string(),
  changedAt: z.coerce.number(),
  announced: z.coerce.number().default(0),
});

/** Change Lists in Redis. */
export function createRedisClosedLists(
  connection: RedisConnection,
  { prefix }: { readonly prefix: string },
): ClosedLists {
  const list = async (channel: ChannelId) => {
    const { closedLists } = channelKeys(prefix, channel);
    const rows = await connection.run((redis) => redis.hvals(closedLists));
    return rows
      .map((row) => checkJsonRow(storedClosedList, row, `closed list, ${channel}`))
      .toSorted((a, b) => a.n - b.n);
  };

  return {
    list,
    async state(channel) {
      const row = await connection.run((redis) => redis.hgetall(channelKeys(prefix, channel).lists));
      if (row["open"] === undefined) return undefined;
      const { open, ...times } = checkRow(fields, row, `lists, ${channel}`);
      return { open: checkJsonRow(storedOpenList, open, `open list, ${channel}`), ...times };
    },
    async open(channel, next, before, closed) {
      const keys = channelKeys(prefix, channel);
      const names = [keys.lists];
      const args: (string | number | Buffer)[] = [before === undefined ? "" : placeOfOpen(before)];
      args.push(placeOfOpen(next), JSON.stringify(next), next.openedAt);
      if (closed !== undefined) {
        names.push(keys.closedLists, keys.closedList(closed.list.n));
        args.push(closed.list.n, JSON.stringify(closed.list), closed.gzipped);
      }
      return (await connection.run((redis) => openScript.run(redis, names, args))) === 1;
    },
    async read(channel, n) {
      const keys = channelKeys(prefix, channel);
      const [row, gzipped] = await connection.run((redis) =>
        Promise.all([redis.hget(keys.closedLists, String(n)), redis.getBuffer(keys.closedList(n))]),
      );
      if (row === null || gzipped === null) return undefined;
      return { list: checkJsonRow(storedClosedList, row, `closed list ${n}, ${channel}`), gzipped };
    },
    async markAnnounced(channel, n) {
      const { lists } = channelKeys(prefix, channel);
      await connection.run((redis) => markScript.run(redis, [lists], [n]));
    },
    async drop(channel, n, at) {
      const keys = channelKeys(prefix, channel);
      const gone = (await list(channel)).map((each) => each.n).filter((each) => each <= n);
      if (gone.length === 0) return 0;
      const [removed] = await connection.transact((redis) =>
        redis
          .hdel(keys.closedLists, ...gone.map(String))
          .unlink(...gone.map(keys.closedList))
          .hset(keys.lists, "changedAt", at),
      );
      return Number(removed);
    },
  };
}
