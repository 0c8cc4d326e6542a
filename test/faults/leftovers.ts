import { open } from "lmdb";
import type { World } from "./world.ts";

// What the store holds, by kind: names of keys or tables without ids and numbers. A hub that nobody subscribes to has the same kinds,
// whatever happened to it before.

/** Empty where there is no Redis. */
export async function keptKeys({ redis }: World): Promise<ReadonlySet<string>> {
  const kinds = new Set<string>();
  if (redis === undefined) return kinds;
  for (const key of await redis.client.keys("*")) {
    // What expires goes by itself: what answers repeats, and some of BullMQ.
    if ((await redis.client.pttl(key)) === -1) kinds.add(kindOfKey(key));
  }
  return kinds;
}

const kindOfKey = (key: string): string => key.replaceAll(/[0-9a-f-]{16,}|[\w-]{20,}|\d+/g, "#");

/** Of the embedded store. Only after the hub has ended. */
export async function keptTables(path: string): Promise<ReadonlySet<string>> {
  const root = open({ path, noSubdir: false, maxDbs: 64 });
  const names = [...root.getKeys()].filter((name) => typeof name === "string");
  const kinds = names.filter((name) => root.openDB({ name }).getKeysCount() > 0);
  await root.close();
  return new Set(kinds);
}
