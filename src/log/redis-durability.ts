import type { Redis } from "ioredis";

/** `name:value` lines of INFO. */
function infoField(info: string, name: string): string | undefined {
  return new RegExp(`^${name}:(.*?)\\r?$`, "m").exec(info)?.[1];
}

/** Managed servers refuse CONFIG. */
async function setting(redis: Redis, name: string): Promise<string | undefined> {
  try {
    const answer: unknown = await redis.config("GET", name);
    const parts: unknown[] = Array.isArray(answer) ? answer.flat() : Object.values(Object(answer));
    return String(parts.at(-1));
  } catch {
    return undefined;
  }
}

const lossWithAof: Record<string, string> = {
  always: "every write is on disk before it is acknowledged",
  everysec: "a crash of the machine can lose what was acknowledged in the last second or two",
  no: "a crash of the machine can lose what the operating system had not yet written, often half a minute",
};

/** What survives a crash of Redis, by its own settings. */
export async function redisDurability(redis: Redis): Promise<string> {
  const [persistence, memory, replication] = await Promise.all(
    ["persistence", "memory", "replication"].map((section) => redis.info(section)),
  );
  const policy = infoField(memory ?? "", "maxmemory_policy") ?? "noeviction";
  const limited = (infoField(memory ?? "", "maxmemory") ?? "0") !== "0";
  const replicas = infoField(replication ?? "", "connected_slaves") ?? "0";
  const parts: string[] = [];
  if (infoField(persistence ?? "", "aof_enabled") === "1") {
    const fsync = (await setting(redis, "appendfsync")) ?? "unknown";
    parts.push(
      `Redis writes an append-only file (appendfsync ${fsync}): ${lossWithAof[fsync] ?? "what a crash can lose is not known"}`,
    );
  } else {
    parts.push(
      "Redis writes no append-only file: a crash of Redis loses everything since its last snapshot; set appendonly yes",
    );
  }
  if (replicas !== "0") parts.push("a fail-over to a replica can lose what had not reached it");
  if (limited && policy !== "noeviction") {
    parts.push(
      `maxmemory-policy is ${policy}: Redis may throw the log away when memory is short; set noeviction`,
    );
  }
  return `${parts.join("; ")}. A crash of the hub alone loses nothing.`;
}
