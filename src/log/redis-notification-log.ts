import { randomUUID } from "node:crypto";
import type { ChannelId } from "../channels/channel.ts";
import { createAppendListeners } from "./append-listeners.ts";
import { newEpoch } from "./new-epoch.ts";
import type { LogBounds, NotificationLog } from "./notification-log.ts";
import { appendToRedis, boundsOfReply } from "./redis-append.ts";
import { boundsScript } from "./redis-append-script.ts";
import { listenForAppended } from "./redis-appended.ts";
import type { RedisConnection } from "./redis-connection.ts";
import { redisDurability } from "./redis-durability.ts";
import { channelKeys, hubKeys } from "./redis-keys.ts";
import { readFromRedis } from "./redis-read.ts";
import { storedInstant } from "./stored-instant.ts";
import { checkRow } from "./stored-row.ts";

/** Redis stands still while it trims: so much at a time takes it a few milliseconds. */
const trimmedAtOnce = 10_000;

/** Several processes, one Redis: the log in streams. */
export function createRedisNotificationLog(
  connection: RedisConnection,
  { prefix, now = Date.now }: { readonly prefix: string; readonly now?: () => number },
): NotificationLog {
  const sender = randomUUID();
  const listeners = createAppendListeners();
  const keysOf = (channel: ChannelId) => {
    others.name(channel);
    return channelKeys(prefix, channel);
  };
  const bounds = async (channel: ChannelId): Promise<LogBounds> => {
    const { meta, log } = keysOf(channel);
    const reply = await connection.run((redis) => boundsScript.run(redis, [meta, log], [newEpoch()]));
    return boundsOfReply(reply, channel);
  };

  const others = listenForAppended(connection, {
    prefix,
    sender,
    newest: async (channel) => (await bounds(channel)).newest,
    tell: (appended) => listeners.tell(appended),
  });

  return {
    async append(channel, notification) {
      keysOf(channel);
      return await listeners.telling(channel, () =>
        appendToRedis(connection, { prefix, sender, now }, channel, notification),
      );
    },
    async read(channel, after, limit, maxBytes = Infinity) {
      return await readFromRedis(connection, { channel, key: keysOf(channel).log, after }, limit, maxBytes);
    },
    bounds,
    async lastUntil(channel) {
      const until = await connection.run((redis) => redis.hget(keysOf(channel).meta, "until"));
      return until === null || until === ""
        ? undefined
        : checkRow(storedInstant, until, `until of ${channel}`);
    },
    onAppend: (listener) => listeners.add(listener),
    whenQuiet: (channel, act) => listeners.whenQuiet(channel, act),
    async trimBefore(channel, sequence) {
      const { log } = keysOf(channel);
      let trimmed = 0;
      for (let { oldest } = await bounds(channel); oldest < sequence;) {
        oldest = Math.min(sequence, oldest + trimmedAtOnce);
        const before = oldest;
        const some = await connection.run((redis) => redis.xtrim(log, "MINID", "=", `${before}-0`));
        trimmed += some;
        if (some === 0) break;
      }
      return trimmed;
    },
    async probe() {
      await connection.run((redis) => redis.set(hubKeys(prefix).probe, now()));
    },
    async describeDurability() {
      return await connection.run(redisDurability);
    },
    async close() {
      listeners.clear();
      await others.close();
    },
  };
}
