import { z } from "zod";
import type { RedisConnection } from "../log/redis-connection.ts";
import { hubKeys } from "../log/redis-keys.ts";
import { redisScript } from "../log/redis-script.ts";
import { checkJsonRow } from "../log/stored-row.ts";
import type { AnnouncedDocuments } from "./announced-documents.ts";

const row = z.object({ digest: z.string(), version: z.number() });

/** KEYS: announced. ARGV: name, document, version. */
const putScript = redisScript(`
local before = redis.call('HGET', KEYS[1], ARGV[1])
if before and cjson.decode(before).version >= tonumber(ARGV[3]) then return end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
`);

export function createRedisAnnouncedDocuments(
  connection: RedisConnection,
  { prefix }: { readonly prefix: string },
): AnnouncedDocuments {
  const { announced } = hubKeys(prefix);
  return {
    async get(name) {
      const found = await connection.run((redis) => redis.hget(announced, name));
      return found === null ? undefined : checkJsonRow(row, found, `announced document ${name}`);
    },
    async put(name, document) {
      const args = [name, JSON.stringify(document), document.version];
      await connection.run((redis) => putScript.run(redis, [announced], args));
    },
  };
}
