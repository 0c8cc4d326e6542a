/** Every fault that the harness can inject: on which engine, for how long, and what it may cost. */

export type EngineName = "embedded" | "redis";

export interface FaultKind {
  readonly engines: readonly EngineName[];
  /** For people: a row of the table in docs/reliability.md. */
  readonly what: string;
  /** Milliseconds, the least and the most. */
  readonly lasts: readonly [number, number];
  /** Hub processes that it needs. */
  readonly hubs?: 2;
  /** Of Redis; `always` where it does not say. */
  readonly fsync?: "everysec";
  /** Whether the store may forget what was acknowledged. */
  readonly loses?: boolean;
  /** Whether the connections of live readers may end. */
  readonly cutsReaders?: boolean;
  /** Whether wake-ups may be left in BullMQ, as long as the clock jumped. */
  readonly leavesWakeUps?: boolean;
  /** Runs only when it is asked for by name. */
  readonly long?: boolean;
}

const both = ["embedded", "redis"] as const;
const embedded = ["embedded"] as const;
const redis = ["redis"] as const;

const faultKinds = {
  "hub-killed": {
    engines: both,
    what: "`kill -9` of the only hub, started again at once",
    lasts: [0, 300],
    cutsReaders: true,
  },
  "hub-stopped": {
    engines: both,
    what: "SIGTERM in full flow, started again",
    lasts: [0, 100],
    cutsReaders: true,
  },
  "hub-paused": {
    engines: embedded,
    what: "SIGSTOP of the hub for longer than a claim lasts",
    lasts: [1200, 1800],
  },
  "one-of-two-paused": {
    engines: redis,
    what: "SIGSTOP of one of two hubs for longer than its claims last",
    lasts: [1600, 2400],
    hubs: 2,
  },
  "one-of-two-killed": {
    engines: redis,
    what: "`kill -9` of one of two hubs",
    lasts: [100, 1500],
    hubs: 2,
    cutsReaders: true,
  },
  "disk-full": {
    engines: embedded,
    what: "disk full (a small tmpfs), then room again",
    lasts: [800, 2500],
  },
  "torn-write": {
    engines: embedded,
    what: "a write of the store fails in the middle of a page (RLIMIT_FSIZE), and the hub is killed there",
    lasts: [200, 500],
    cutsReaders: true,
  },
  "torn-page": {
    engines: embedded,
    what: "`kill -9`, and part of a page of rubbish behind the last page of the store",
    lasts: [0, 100],
    cutsReaders: true,
  },
  "clock-jump": {
    engines: both,
    what: "the clock of a hub jumps by up to an hour, forward or back, and stays there",
    lasts: [0, 200],
    leavesWakeUps: true,
  },
  "clock-jumps-back": {
    engines: both,
    what: "the clock jumps an hour forward, and back again in the middle of deliveries",
    lasts: [300, 800],
    leavesWakeUps: true,
  },
  "clients-cut": {
    engines: both,
    what: "every connection of publishers and readers is cut",
    lasts: [0, 200],
    cutsReaders: true,
  },
  "clients-half-open": {
    engines: both,
    what: "every connection of publishers and readers goes dead without a word; they come back on others",
    lasts: [200, 600],
    cutsReaders: true,
  },
  "redis-killed": { engines: redis, what: "`kill -9` of Redis, `appendfsync always`", lasts: [0, 800] },
  "redis-killed-everysec": {
    engines: redis,
    what: "`kill -9` of Redis, `appendfsync everysec`",
    lasts: [0, 800],
    fsync: "everysec",
  },
  "redis-power-cut": {
    engines: redis,
    what: "power cut of Redis with `appendfsync everysec`: up to two seconds of its file are gone",
    lasts: [100, 300],
    fsync: "everysec",
    loses: true,
  },
  "redis-torn-file": {
    engines: redis,
    what: "`kill -9` of Redis, with half a command at the end of its file",
    lasts: [0, 300],
  },
  "redis-read-only": {
    engines: redis,
    what: "Redis takes no writes (`min-replicas-to-write 1`, or REPLICAOF and back)",
    lasts: [200, 1200],
  },
  "redis-out-of-memory": {
    engines: redis,
    what: "Redis has no memory left (`maxmemory`, noeviction)",
    lasts: [200, 1200],
  },
  "redis-flushed": {
    engines: redis,
    what: "FLUSHALL: everything is gone, subscribers subscribe anew",
    lasts: [0, 0],
    loses: true,
  },
  "redis-blip": { engines: redis, what: "Redis away for 0.1 s (connections cut)", lasts: [100, 100] },
  "redis-away": { engines: redis, what: "Redis away for 3 s (connections cut)", lasts: [3000, 3000] },
  "redis-away-60s": {
    engines: redis,
    what: "Redis away for 60 s (connections cut)",
    lasts: [60_000, 60_000],
    long: true,
  },
  "redis-stalled": {
    engines: redis,
    what: "no byte goes between hubs and Redis, and no connection ends",
    lasts: [500, 2000],
  },
  "redis-slow": { engines: redis, what: "every byte to and from Redis takes 20 ms more", lasts: [800, 1500] },
  partition: {
    engines: redis,
    what: "one of two hubs is cut off from Redis for longer than its claims last",
    lasts: [1600, 2400],
    hubs: 2,
  },
} as const satisfies Record<string, FaultKind>;

export type FaultName = keyof typeof faultKinds;

export const kindOf = (name: FaultName): FaultKind => faultKinds[name];

export function isFaultName(name: string): name is FaultName {
  return Object.hasOwn(faultKinds, name);
}

export const faultNames: readonly FaultName[] = Object.keys(faultKinds).filter(isFaultName);
