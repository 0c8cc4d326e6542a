import { appendFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { pause } from "./control.ts";
import type { FaultName } from "./fault-kinds.ts";
import type { Loss } from "./observed.ts";
import type { PlannedFault } from "./plan.ts";
import { createRandom, type Random } from "./random.ts";
import type { RedisUnderTest } from "./redis-under-test.ts";
import type { HubPlace, World } from "./world.ts";

export interface Scene {
  readonly world: World;
  /** When the publishers began; milliseconds since 1970. */
  readonly began: number;
  /** Subscribes everybody anew. */
  readonly resubscribe: () => Promise<void>;
  /** Told of each start of a hub, with the milliseconds that it took. */
  readonly started: (milliseconds: number) => void;
  /** Told of the exit code of each orderly stop. */
  readonly stopped: (code: number | null) => void;
  readonly lost: (loss: Loss) => void;
}

interface Struck extends Scene {
  readonly place: HubPlace;
  readonly random: Random;
  readonly lasts: number;
}

type Inject = (struck: Struck) => Promise<void>;

/** Does one fault, from its beginning to its end. */
export async function inject(scene: Scene, fault: PlannedFault): Promise<void> {
  const { hubs } = scene.world;
  const place = hubs[fault.hub] ?? hubs[0];
  await injecting[fault.kind]({ ...scene, place, random: createRandom(fault.dice), lasts: fault.lasts });
}

const killHub: Inject = async ({ place: { hub }, lasts, started }) => {
  await hub.kill();
  await pause(lasts);
  started(await hub.start());
};

const haltHub: Inject = async ({ place: { hub }, lasts }) => {
  hub.halt();
  await pause(lasts);
  hub.resume();
};

/** At a place within a page of the store that the next writes pass. */
async function limitStore({ world, place, random }: Struck, spare: number): Promise<void> {
  const { size } = await stat(join(world.data, "data.mdb"));
  await place.hub.limitFiles(size + random.between(0, spare));
}

const redisOf = ({ world: { redis } }: Struck): RedisUnderTest => {
  if (redis === undefined) throw new Error("this fault needs Redis");
  return redis;
};

const killRedis =
  (damage: (redis: RedisUnderTest) => Promise<void>): Inject =>
  async (struck) => {
    const redis = redisOf(struck);
    await redis.kill();
    await damage(redis);
    await pause(struck.lasts);
    await redis.start();
  };

const leaveRedis: Inject = async ({ world, lasts }) => {
  for (const { back } of world.hubs) back?.leave();
  await pause(lasts);
  for (const { back } of world.hubs) back?.come();
};

const refusing = (refuse: readonly string[], takeAgain: readonly string[]): Inject => {
  return async (struck) => {
    const { client } = redisOf(struck);
    await client.call(...commandOf(refuse));
    await pause(struck.lasts);
    await client.call(...commandOf(takeAgain));
  };
};

const commandOf = ([name = "", ...words]: readonly string[]): [string, ...string[]] => [name, ...words];

const withoutReplicas = refusing(
  ["CONFIG", "SET", "min-replicas-to-write", "1"],
  ["CONFIG", "SET", "min-replicas-to-write", "0"],
);
// Nobody answers there: it keeps what it has, and takes no writes.
const asReplica = refusing(["REPLICAOF", "127.0.0.1", "1"], ["REPLICAOF", "NO", "ONE"]);

/** A power cut may lose so much of a file that is synced every second. Milliseconds. */
const unsynced = 2000;
const hour = 3_600_000;

const injecting: Record<FaultName, Inject> = {
  "hub-killed": killHub,
  "one-of-two-killed": killHub,
  async "hub-stopped"({ place: { hub }, lasts, started, stopped }) {
    stopped(await hub.stop());
    await pause(lasts);
    started(await hub.start());
  },
  "hub-paused": haltHub,
  "one-of-two-paused": haltHub,
  async "disk-full"({ world: { disk }, random, lasts }) {
    if (disk === undefined) throw new Error("this fault needs a small tmpfs, which this user may not mount");
    // Less than the hub leaves free, down to nothing.
    await disk.fill(random.between(0, 30 * 1024 * 1024));
    await pause(lasts);
    await disk.empty();
  },
  async "torn-write"(struck) {
    await limitStore(struck, 20_000);
    await pause(struck.lasts);
    // The write that fails may have ended it (docs/reliability.md).
    await struck.place.hub.kill();
    struck.started(await struck.place.hub.start());
  },
  async "torn-page"({ world, place: { hub }, random, lasts, started }) {
    await hub.kill();
    const rubbish = Buffer.from(
      Array.from({ length: random.between(1, 4095) }, () => random.between(0, 255)),
    );
    await appendFile(join(world.data, "data.mdb"), rubbish);
    await pause(lasts);
    started(await hub.start());
  },
  async "clock-jump"({ place: { hub }, random, lasts }) {
    await hub.shiftClock(random.between(-hour, hour));
    await pause(lasts);
  },
  async "clock-jumps-back"({ place: { hub }, lasts }) {
    await hub.shiftClock(hour);
    await pause(lasts);
    await hub.shiftClock(0);
  },
  async "clients-cut"({ world, lasts }) {
    for (const { front } of world.hubs) front.leave();
    await pause(lasts);
    for (const { front } of world.hubs) front.come();
  },
  async "clients-half-open"({ world, lasts }) {
    for (const { front } of world.hubs) front.halfOpen();
    await pause(lasts);
  },
  "redis-killed": killRedis(async () => {}),
  async "redis-killed-everysec"(struck) {
    const began = Date.now();
    const mayLose = await redisOf(struck).hasUnwritten();
    await killRedis(async () => {})(struck);
    if (mayLose) struck.lost({ since: began - unsynced, until: Date.now(), subscriptions: false });
  },
  "redis-torn-file": killRedis((redis) => redis.tear()),
  async "redis-power-cut"(struck) {
    const redis = redisOf(struck);
    const until = Date.now();
    // Not back to before everybody had subscribed: the subscriptions would be gone, too.
    const since = Math.max(until - struck.random.between(100, unsynced), struck.began);
    const from = await redis.cutPower(since);
    await pause(struck.lasts);
    await redis.start();
    // While a sync is under way, Redis answers before it writes, for two seconds at most.
    struck.lost({ since: from - unsynced, until: Date.now(), subscriptions: false });
  },
  "redis-read-only": (struck) => (struck.random.chance(0.5) ? withoutReplicas : asReplica)(struck),
  "redis-out-of-memory": refusing(["CONFIG", "SET", "maxmemory", "1"], ["CONFIG", "SET", "maxmemory", "0"]),
  async "redis-flushed"(struck) {
    await redisOf(struck).client.flushall();
    await struck.resubscribe();
    struck.lost({ since: 0, until: Date.now(), subscriptions: true });
  },
  "redis-blip": leaveRedis,
  "redis-away": leaveRedis,
  "redis-away-60s": leaveRedis,
  async "redis-stalled"({ world, lasts }) {
    for (const { back } of world.hubs) back?.stall();
    await pause(lasts);
    for (const { back } of world.hubs) back?.flow();
  },
  async "redis-slow"({ world, lasts }) {
    for (const { back } of world.hubs) back?.slow(20);
    await pause(lasts);
    for (const { back } of world.hubs) back?.slow(0);
  },
  async partition({ place, lasts }) {
    place.back?.leave();
    await pause(lasts);
    place.back?.come();
  },
};
