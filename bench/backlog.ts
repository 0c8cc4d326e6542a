/**
 * What dead callbacks cost the store: 10,000 notifications of 2 KB with 100 callbacks that take them, then the same with 900 more
 * whose servers refuse every connection. Each dead one is tried as often as in an hour of the usual schedule, at shorter intervals.
 * The live ones take everything without a request; only what is stored matters here.
 *
 *   npx tsx bench/backlog.ts [notifications] [live] [dead] [--redis]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { open } from "lmdb";
import { startRedisServer } from "../test/support/redis-server.ts";
import { startDelivering } from "./delivering.ts";

/** At once, after 5 s, 30 s, 2 min, 10 min and 30 min: what `delivery.retry` brings in the first hour. */
const attemptsOfAnHour = 6;
const appendsAtOnce = 32;

interface Storage {
  readonly bytes: number;
  /** Keys of Redis, rows of LMDB. */
  readonly entries: number;
}

/** Pages that hold something: the file itself only ever grows. */
async function storageOfLmdb(path: string): Promise<Storage> {
  const root = open({ path, noSubdir: false, maxDbs: 64, readOnly: true });
  let [bytes, entries] = [0, 0];
  const names = [...root.getKeys()].map(String);
  for (const name of names) {
    const found: unknown = root.openDB({ name }).getStats();
    const { pageSize, treeBranchPageCount, treeLeafPageCount, overflowPages, entryCount } = Object(found);
    bytes +=
      Number(pageSize) * (Number(treeBranchPageCount) + Number(treeLeafPageCount) + Number(overflowPages));
    entries += Number(entryCount);
  }
  await root.close();
  return { bytes, entries };
}

async function storageOfRedis(url: string): Promise<Storage> {
  const redis = new Redis(url);
  await redis.memory("PURGE");
  const used = /used_memory:(\d+)/.exec(await redis.info("memory"))?.[1];
  const entries = await redis.dbsize();
  await redis.quit();
  return { bytes: Number(used), entries };
}

const live = (number: number): string => `http://127.0.0.1:1/${number}`;
/** Each an origin of its own, at which nothing listens. */
const dead = (number: number): string => `http://127.1.${Math.floor(number / 250)}.${(number % 250) + 1}:1/`;

async function roundOf(notifications: number, alive: number, gone: number, useRedis: boolean) {
  const directory = await mkdtemp(join(tmpdir(), "hub-bench-"));
  const redis = useRedis ? await startRedisServer() : undefined;
  const storage = (): Promise<Storage> =>
    redis === undefined ? storageOfLmdb(directory) : storageOfRedis(redis.url);
  const start = () =>
    startDelivering({
      directory,
      redis: redis?.url,
      // The last wait stands for the hours that follow.
      retry: [100, 100, 100, 100, 100, 3_600_000],
      attemptOf:
        (real) =>
        async (...delivery) =>
          delivery[0].callback.startsWith("http://127.0.0.1:1/")
            ? { kind: "delivered", status: 204, milliseconds: 1 }
            : real(...delivery),
    });

  const hub = await start();
  for (let number = 0; number < alive; number += 1) await hub.subscribe(live(number));
  for (let number = 0; number < gone; number += 1) await hub.subscribe(dead(number));
  let published = 0;
  const publish = async (): Promise<void> => {
    while (published < notifications) {
      published += 1;
      await hub.publish(Buffer.alloc(2048, `<urlset n="${published}"/>`));
    }
  };
  await Promise.all(Array.from({ length: appendsAtOnce }, publish));
  const until = async (isDone: () => Promise<boolean>): Promise<void> => {
    while (!(await isDone())) await sleep(200);
  };
  for (let number = 0; number < alive; number += 1) {
    await until(async () => (await hub.progress(live(number)))?.cursor === notifications);
  }
  for (let number = 0; number < gone; number += 1) {
    await until(async () => ((await hub.progress(dead(number)))?.failing?.attempts ?? 0) >= attemptsOfAnHour);
  }
  const open = hub.delivery.origins().filter(({ state }) => state !== "closed").length;
  const atRest = redis === undefined ? undefined : await storage();
  await hub.close();
  const after = atRest ?? (await storage());
  await redis?.[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
  return { ...after, open };
}

const kilobytes = (bytes: number): string => `${Math.round(bytes / 1024).toLocaleString("en")} KB`;

const numbers = process.argv.filter((word) => /^\d+$/.test(word)).map(Number);
const [notifications = 10_000, alive = 100, gone = 900] = numbers;
const useRedis = process.argv.includes("--redis");
const empty = await roundOf(0, 0, 0, useRedis);
const rows = await roundOf(0, alive + gone, 0, useRedis);
const without = await roundOf(notifications, alive, 0, useRedis);
const withDead = await roundOf(notifications, alive, gone, useRedis);

console.log(
  `${notifications} notifications of 2 KB for ${alive} live callbacks and ${gone} dead ones, ${useRedis ? "Redis" : "embedded"} engine`,
);
const line = (name: string, { bytes, entries }: Storage): void =>
  console.log(
    `  ${name.padEnd(52)} ${kilobytes(bytes).padStart(10)} ${entries.toLocaleString("en").padStart(8)} entries`,
  );
line("nothing published, nobody subscribed", empty);
line(`nothing published, ${alive + gone} subscriptions`, rows);
line(`published, ${alive} live subscriptions`, without);
line(`published, and ${gone} dead ones after ${attemptsOfAnHour} attempts`, withDead);
const perRow = (rows.bytes - empty.bytes) / (alive + gone);
const perDead = (withDead.bytes - without.bytes) / Math.max(1, gone);
console.log(
  `  a subscription with its cursor ${perRow.toFixed(0)} B; a dead one besides ${(perDead - perRow).toFixed(0)} B; ${withDead.open} circuits open`,
);
