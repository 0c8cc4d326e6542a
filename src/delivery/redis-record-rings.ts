import { z } from "zod";
import type { RedisConnection } from "../log/redis-connection.ts";
import { channelKeys } from "../log/redis-keys.ts";
import { redisScript } from "../log/redis-script.ts";
import { checkRow } from "../log/stored-row.ts";
import { endOf, type RecordRings } from "./record-rings.ts";
import { batchOfJson, batchToJson } from "./stored-records.ts";

/**
 * KEYS: stream, counts. ARGV: ring, number of records, when the last one ended, records, max, cutoff.
 * Streams can be trimmed by number of entries only, and batches differ in length: so their records are counted.
 */
const appendScript = redisScript(`
redis.call('XADD', KEYS[1], '*', 'n', ARGV[2], 't', ARGV[3], 'd', ARGV[4])
local held = redis.call('HINCRBY', KEYS[2], ARGV[1], ARGV[2])
while true do
  local first = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 1)[1]
  if not first then break end
  local _, count, _, endedAt = unpack(first[2])
  if held <= tonumber(ARGV[5]) and tonumber(endedAt) >= tonumber(ARGV[6]) then break end
  redis.call('XDEL', KEYS[1], first[1])
  held = redis.call('HINCRBY', KEYS[2], ARGV[1], -tonumber(count))
end
return 1
`);

/** Few enough batches at a time that those who want a few records do not read them all. */
const pageLength = 16;
const entry = z.tuple([
  z.string(),
  z.tuple([z.string(), z.string(), z.string(), z.string(), z.string(), z.string()]),
]);

/** Records in streams, to which several processes add. */
export function createRedisRecordRings(
  connection: RedisConnection,
  { prefix }: { readonly prefix: string },
): RecordRings {
  return {
    async append(channel, ring, batch, { max, cutoff }) {
      const { records, recordCounts } = channelKeys(prefix, channel);
      const endedAt = Math.max(...batch.map(endOf));
      const args = [ring, batch.length, endedAt, batchToJson(batch), max, cutoff];
      await connection.run((redis) => appendScript.run(redis, [records(ring), recordCounts], args));
    },
    async *newest(channel, ring) {
      const key = channelKeys(prefix, channel).records(ring);
      for (let before = "+"; ;) {
        const from = before;
        const rows = await connection.run((redis) => redis.xrevrange(key, from, "-", "COUNT", pageLength));
        for (const row of rows) {
          const [id, [, , , , , json]] = checkRow(entry, row, `delivery records, ${channel}`);
          yield batchOfJson(json, `delivery records, ${channel}`);
          before = `(${id}`;
        }
        if (rows.length < pageLength) return;
      }
    },
  };
}
