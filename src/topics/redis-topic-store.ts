import type { RedisConnection } from "../log/redis-connection.ts";
import { hubKeys } from "../log/redis-keys.ts";
import { redisScript } from "../log/redis-script.ts";
import { checkJsonRow } from "../log/stored-row.ts";
import { fetchedTopic, type FetchedTopic, nameOf, namesOf } from "./topic-elsewhere.ts";
import type { TopicStore } from "./topic-store.ts";

/**
 * KEYS: topics, names. ARGV: id, expected revision (0 where there is to be none), row (empty to remove it), number of
 * names to remove, these, names to add.
 */
const replaceScript = redisScript(`
local before = redis.call('HGET', KEYS[1], ARGV[1])
local revision = before and cjson.decode(before).revision or 0
if revision ~= tonumber(ARGV[2]) then return 0 end
local gone = tonumber(ARGV[4])
for index = 5, 4 + gone do redis.call('ZREM', KEYS[2], ARGV[index]) end
for index = 5 + gone, #ARGV do redis.call('ZADD', KEYS[2], 0, ARGV[index]) end
if ARGV[3] == '' then redis.call('HDEL', KEYS[1], ARGV[1]) else redis.call('HSET', KEYS[1], ARGV[1], ARGV[3]) end
return 1
`);

/** Names stand in one sorted set, as the name, a space and the id. */
const membersOf = (topic: FetchedTopic): string[] => namesOf(topic).map((name) => `${name} ${topic.id}`);

/** Fetched topics in a Redis hash, with a sorted set of their names. */
export function createRedisTopicStore(
  connection: RedisConnection,
  { prefix }: { readonly prefix: string },
): TopicStore {
  const { topics, topicNames } = hubKeys(prefix);
  const rowOf = (row: string): FetchedTopic => checkJsonRow(fetchedTopic, row, "topic");

  async function replace(before: FetchedTopic | undefined, after: FetchedTopic | undefined) {
    const id = (after ?? before)?.id ?? "";
    const gone = before === undefined ? [] : membersOf(before);
    const added = after === undefined ? [] : membersOf(after);
    const row = after === undefined ? "" : JSON.stringify(after);
    const args = [id, before?.revision ?? 0, row, gone.length, ...gone, ...added];
    return (await connection.run((redis) => replaceScript.run(redis, [topics, topicNames], args))) === 1;
  }

  return {
    async all() {
      return (await connection.run((redis) => redis.hvals(topics))).map(rowOf);
    },
    async find(id) {
      const row = await connection.run((redis) => redis.hget(topics, id));
      return row === null ? undefined : rowOf(row);
    },
    async named(url) {
      const name = nameOf(url);
      const members = await connection.run((redis) =>
        redis.zrangebylex(topicNames, `[${name} `, `(${name}!`),
      );
      if (members.length === 0) return [];
      const ids = members.map((member) => member.slice(name.length + 1));
      const rows = await connection.run((redis) => redis.hmget(topics, ...ids));
      return rows.flatMap((row) => (row === null ? [] : [rowOf(row)]));
    },
    replace: (before, after) => replace(before, after),
    remove: (before) => replace(before, undefined),
  };
}
