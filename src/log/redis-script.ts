import { createHash } from "node:crypto";
import type { Redis } from "ioredis";

export type ScriptArgument = string | number | Buffer;

/** A Lua script, which the server runs as one step. */
export interface RedisScript {
  run(redis: Redis, keys: readonly string[], args: readonly ScriptArgument[]): Promise<unknown>;
}

export function redisScript(lua: string): RedisScript {
  const digest = createHash("sha1").update(lua).digest("hex");
  return {
    async run(redis, keys, args) {
      try {
        return await redis.evalsha(digest, keys.length, ...keys, ...args);
      } catch (error) {
        // A server that was started anew knows no scripts.
        if (!(error instanceof Error) || !error.message.startsWith("NOSCRIPT")) throw error;
        return await redis.eval(lua, keys.length, ...keys, ...args);
      }
    },
  };
}
