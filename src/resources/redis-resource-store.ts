import { z } from "zod";
import type { RedisConnection } from "../log/redis-connection.ts";
import { channelKeys } from "../log/redis-keys.ts";
import { checkJsonRow, checkRow } from "../log/stored-row.ts";
import { changeScript, fillScript, replaceScript } from "./redis-resource-scripts.ts";
import { resourceState } from "./resource-state.ts";
import type { ResourceRow, ResourceStore } from "./resource-store.ts";

const rowsAtOnce = 1000;

const headReply = z.tuple([z.string(), z.string(), z.string()]);
const rowsReply = z.array(z.string());

const argumentsOf = (rows: readonly ResourceRow[]): string[] =>
  rows.flatMap(({ key, changedAt, xml }) => [key, changedAt, xml]);

/** Several processes, one Redis: resources in hashes, their order in a sorted set. */
export function createRedisResourceStore(
  connection: RedisConnection,
  { prefix }: { readonly prefix: string },
): ResourceStore {
  return {
    async head(channel) {
      const { resources } = channelKeys(prefix, channel);
      const reply = await connection.run((redis) => redis.hmget(resources, "revision", "resources", "state"));
      if (reply[0] === null) return undefined;
      const [revision, count, state] = checkRow(headReply, reply, `resources of ${channel}`);
      return {
        revision: Number(revision),
        resources: Number(count),
        state: checkJsonRow(resourceState, state, `resources of ${channel}`),
      };
    },
    async begin(channel, edition, now) {
      const { editions } = channelKeys(prefix, channel);
      await connection.run((redis) => redis.hset(editions, edition, now));
    },
    async fill(channel, edition, rows) {
      const keys = channelKeys(prefix, channel);
      const reply = await connection.run((redis) =>
        fillScript.run(redis, [keys.rows(edition), keys.uris(edition)], argumentsOf(rows)),
      );
      return Number(reply);
    },
    async change(channel, expected, state, rows) {
      const keys = channelKeys(prefix, channel);
      const names = [keys.resources, keys.rows(state.generation), keys.uris(state.generation)];
      const values = [expected, JSON.stringify(state), ...argumentsOf(rows)];
      return (await connection.run((redis) => changeScript.run(redis, names, values))) === 1;
    },
    async replace(channel, expected, state, resources) {
      const { resources: head } = channelKeys(prefix, channel);
      const values = [expected, JSON.stringify(state), resources];
      return (await connection.run((redis) => replaceScript.run(redis, [head], values))) === 1;
    },
    async *listed(channel, edition) {
      const keys = channelKeys(prefix, channel);
      for (let from = "-"; ;) {
        const after = from;
        const uris = await connection.run((redis) =>
          redis.zrange(keys.uris(edition), after, "+", "BYLEX", "LIMIT", 0, rowsAtOnce),
        );
        const last = uris.at(-1);
        if (last === undefined) return;
        const reply = await connection.run((redis) => redis.hmget(keys.rows(edition), ...uris));
        const rows = checkRow(rowsReply, reply, `resources of ${channel}`);
        yield rows.map((row) => row.slice(row.indexOf("\n") + 1));
        from = `(${last}`;
      }
    },
    async putBlock(channel, edition, list, block, bytes) {
      const { blocks } = channelKeys(prefix, channel);
      await connection.run((redis) => redis.hset(blocks(edition), `${list}/${block}`, bytes));
    },
    async block(channel, edition, list, block) {
      const { blocks } = channelKeys(prefix, channel);
      const bytes = await connection.run((redis) => redis.hgetBuffer(blocks(edition), `${list}/${block}`));
      return bytes ?? undefined;
    },
    async drop(channel, kept, begunBefore) {
      const { editions, rows, uris, blocks } = channelKeys(prefix, channel);
      const known = await connection.run((redis) => redis.hgetall(editions));
      for (const [edition, begunAt] of Object.entries(known)) {
        if (kept.includes(edition) || Number(begunAt) >= begunBefore) continue;
        await connection.run((redis) => redis.unlink(rows(edition), uris(edition), blocks(edition)));
        await connection.run((redis) => redis.hdel(editions, edition));
      }
    },
  };
}
