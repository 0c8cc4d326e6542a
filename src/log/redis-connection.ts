import { setTimeout as pause } from "node:timers/promises";
import { type ChainableCommander, Redis } from "ioredis";
import type { Events } from "../observability/events.ts";
import { StorageUnavailable } from "./notification-log.ts";
import { timeLimit } from "./redis-time-limit.ts";

interface RedisConnectionOptions {
  readonly events: Pick<Events, "storageUnavailable" | "storageBack">;
  /** Milliseconds, from the call on, until commands that got no answer fail. */
  readonly commandTimeout?: number;
}

export interface RedisConnection {
  /** Runs commands; every failure that is not ours becomes `StorageUnavailable`. */
  run<Answer>(command: (redis: Redis) => Promise<Answer>): Promise<Answer>;
  /** Runs commands as one step: all of them, or none. Answers their replies. */
  transact(commands: (transaction: ChainableCommander) => ChainableCommander): Promise<readonly unknown[]>;
  /** A connection of its own: one that subscribes takes no other commands. */
  readonly subscriber: Redis;
  /** Calls when both connections are back after at least one of them was lost. */
  onReconnected(listener: () => void): () => void;
  close(): Promise<void>;
}

/** Fast enough that a publisher gets its 503 while it still waits, slow enough for a server that writes its snapshot. */
const defaultCommandTimeout = 5000;
const connectTimeout = 5000;
const longestPause = 2000;

/** A Redis that is lost is known within one command; a command that could not be sent is never sent later. */
const failFast = {
  lazyConnect: true,
  connectTimeout,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  retryStrategy: (attempt: number) => Math.min(attempt * 50, longestPause),
};

/** A client for a library that works with it in its own way; whoever asks for it listens to its errors and ends it. */
export function redisClient(
  url: string,
  options: { readonly enableOfflineQueue: boolean; readonly maxRetriesPerRequest: number | null },
): Redis {
  return new Redis(url, { ...failFast, ...options });
}

/** The address without name and password. */
function shownUrl(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function watch(
  redis: Redis,
  part: string,
  { storageUnavailable, storageBack }: RedisConnectionOptions["events"],
) {
  let lost = false;
  redis.on("error", (error: unknown) => {
    if (!lost) storageUnavailable({ part, reason: reasonOf(error) });
    lost = true;
  });
  redis.on("ready", () => {
    if (lost) storageBack({ part });
    lost = false;
  });
}

/**
 * Connects to Redis or Valkey at a redis:// or rediss:// address, and stays connected.
 *
 * Throws `StorageUnavailable` where it does not answer at once.
 */
export async function connectRedis(url: string, options: RedisConnectionOptions): Promise<RedisConnection> {
  const { events, commandTimeout = defaultCommandTimeout } = options;
  const commands = new Redis(url, { ...failFast, commandTimeout, enableAutoPipelining: true });
  // Who listens subscribes anew after each reconnection; ioredis would do so with a promise whose rejection ends the process.
  const subscriber = new Redis(url, { ...failFast, autoResubscribe: false });
  watch(commands, "redis", events);
  watch(subscriber, "redis subscriptions", events);
  const both = [commands, subscriber];
  let reason: unknown;
  const note = (error: unknown): void => {
    reason ??= error;
  };
  const disconnect = (): void => {
    for (const redis of both) redis.disconnect();
  };
  try {
    // The rejection only says that the connection was closed; the event before it says why.
    for (const redis of both) redis.once("error", note);
    await Promise.all(both.map((redis) => redis.connect()));
  } catch (error) {
    disconnect();
    reason ??= error;
    throw new StorageUnavailable(`Redis at ${shownUrl(url)} does not answer: ${reasonOf(reason)}`, {
      cause: reason,
    });
  }

  // ioredis counts from when it sends a command, which waits for the automatic pipeline before it.
  const inTime = timeLimit(commandTimeout);
  const run: RedisConnection["run"] = async (command) => {
    try {
      return await inTime(command(commands));
    } catch (error) {
      throw new StorageUnavailable(`Redis did not take the command: ${reasonOf(error)}`, { cause: error });
    }
  };
  const listeners = new Set<() => void>();
  for (const redis of both) {
    redis.on("ready", () => {
      if (both.every(({ status }) => status === "ready")) for (const listener of listeners) listener();
    });
  }
  return {
    subscriber,
    run,
    transact: (add) =>
      run(async (redis) => {
        const replies = (await add(redis.multi()).exec()) ?? [];
        return replies.map(([error, reply]) => {
          if (error !== null) throw error;
          return reply;
        });
      }),
    onReconnected(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    async close() {
      listeners.clear();
      await Promise.allSettled(both.map((redis) => redis.quit()));
      disconnect();
    },
  };
}

/** Milliseconds in which a Redis that is there answers. */
const answerTime = 500;

/** Whether the server answers now; a connection that has just broken still calls itself ready. */
export async function isThere(redis: Redis): Promise<boolean> {
  if (redis.status !== "ready") return false;
  const stop = new AbortController();
  const late = pause(answerTime, false, { signal: stop.signal }).catch(() => false);
  const answered = redis.ping().then(
    () => true,
    () => false,
  );
  const answer = await Promise.race([answered, late]);
  stop.abort();
  return answer;
}
