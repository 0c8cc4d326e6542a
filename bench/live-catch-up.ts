import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LogToSocket } from "./baselines/log-to-socket.ts";
import { type Bench, type EngineName, inRounds, pick, type Settings } from "./harness/bench.ts";
import { type Child, startChild } from "./harness/child.ts";
import { startRedis } from "./harness/redis-server.ts";
import type { Row } from "./harness/row.ts";
import { fileOf, startHubServer } from "./harness/server.ts";
import { median } from "./harness/statistics.ts";
import type { LatencyLoad } from "./load/latency.ts";
import type { Replay, ReplayLoad } from "./load/replay.ts";
import type { Target } from "./load/target.ts";

interface Figures {
  readonly perSecond: number;
  /** Milliseconds to a live reader, before and during the replay. */
  readonly p99Alone: number;
  readonly p99: number;
}

/** Publications a second that go on meanwhile. */
const modestly = 100;

/** With many sockets, a shorter replay takes as long. */
const lengthFor = (sockets: number, held: number): number => Math.min(held, Math.round(2_000_000 / sockets));

interface Loads {
  readonly replays: Child<ReplayLoad>;
  readonly live: Child<LatencyLoad>;
}

const secondsFor = ({ isQuick }: Settings): number => (isQuick ? 0.5 : 4);

/** Replays for some seconds, ours and the baseline alike: the median of what each replay came to. */
async function replayFor(seconds: number, replays: Child<ReplayLoad>, replay: Replay): Promise<number> {
  const rates: number[] = [];
  const began = performance.now();
  while (performance.now() - began < seconds * 1000) rates.push(await replays.ask("replay", replay));
  return median(rates);
}

/** Replays while a live reader, with a publisher beside it, sees what becomes of its latency. */
async function measure(
  { replays, live }: Loads,
  target: Target,
  sockets: number,
  notifications: number,
  settings: Settings,
): Promise<Figures> {
  const seconds = secondsFor(settings);
  const alone = await live.ask("publish", { target, perSecond: modestly, seconds });
  const after = await replays.ask("before", notifications);
  const replay = { target, sockets, after, notifications };
  return { p99Alone: alone.p99, ...(await replayBeside({ replays, live }, target, replay, seconds)) };
}

async function replayBeside(
  { replays, live }: Loads,
  target: Target,
  replay: Replay,
  seconds: number,
): Promise<Pick<Figures, "perSecond" | "p99">> {
  const beside = live.ask("publish", { target, perSecond: modestly });
  const perSecond = await replayFor(seconds, replays, replay);
  await live.ask("stop", undefined);
  return { perSecond, p99: (await beside).p99 };
}

interface Baseline extends AsyncDisposable {
  /** Replays from a server of its own, while the hub at `target` has a live reader and nothing else to do. */
  measure(loads: Loads, target: Target): Promise<Figures>;
}

async function startBare(engine: EngineName, held: number, settings: Settings): Promise<Baseline> {
  const directory = await mkdtemp(join(tmpdir(), "hub-bench-"));
  const redis = engine === "redis" ? await startRedis() : undefined;
  const words = redis === undefined ? [directory] : [directory, redis.url];
  const server = await startChild<LogToSocket>(fileOf("baselines/log-to-socket.ts"), words);
  await server.ask("fill", held);
  const port = await server.ask("port", undefined);
  const replay = {
    target: { port, path: "/", token: "" },
    sockets: 1,
    after: undefined,
    notifications: held,
  };
  return {
    async measure(loads, target) {
      const figures = await replayBeside(loads, target, replay, secondsFor(settings));
      return { ...figures, p99Alone: Number.NaN };
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await redis?.[Symbol.asyncDispose]();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function measureEngine(engine: EngineName, settings: Settings): Promise<Row[]> {
  const held = settings.isQuick ? 1000 : 100_000;
  const sizes = settings.numbers.length > 0 ? settings.numbers : settings.isQuick ? [2] : [1, 10, 100];
  await using hub = await startHubServer({ engine });
  await using replays = await startChild<ReplayLoad>(fileOf("load/replay.ts"));
  await using live = await startChild<LatencyLoad>(fileOf("load/latency.ts"));
  await using bare = await startBare(engine, held, settings);
  const { target } = hub;
  await replays.ask("fill", { target, notifications: held });
  await live.ask("numberFrom", held);
  await live.ask("socket", { target });
  const contenders: Record<string, () => Promise<Figures>> = {
    bare: () => bare.measure({ replays, live }, target),
  };
  for (const sockets of sizes) {
    contenders[`${sockets} sockets`] = () =>
      measure({ replays, live }, target, sockets, lengthFor(sockets, held), settings);
  }
  const figures = await inRounds(settings.rounds, contenders);
  const rates = pick(figures, ({ perSecond }) => perSecond);
  const latencies = pick(figures, ({ p99 }) => p99);
  return sizes.flatMap((sockets): Row[] => {
    const ours = `${sockets} sockets`;
    const name = `${engine}, ${lengthFor(sockets, held).toLocaleString("en")} to ${ours}`;
    const reading = "reading the log and writing it to one socket";
    const without = "without a replay";
    const elsewhere = "while the other server replays to one socket";
    return [
      {
        name: `${name}: notifications`,
        unit: "/s",
        ours: rates[ours] ?? [],
        baselines: { [reading]: rates["bare"] ?? [] },
        targets: [{ baseline: reading, atLeast: 0.7 }],
      },
      {
        name: `${name}: publish to a live reader, p99`,
        unit: "ms",
        ours: latencies[ours] ?? [],
        baselines: {
          [without]: pick(figures, ({ p99Alone }) => p99Alone)[ours] ?? [],
          [elsewhere]: latencies["bare"] ?? [],
        },
        targets: [{ baseline: without, atMost: 1.5 }],
      },
    ];
  });
}

/** Numbers: of sockets. */
export const liveCatchUp: Bench = {
  about: "replay of a long log over WebSocket while publishing goes on",
  async run(settings) {
    const rows: Row[] = [];
    for (const engine of settings.engines) rows.push(...(await measureEngine(engine, settings)));
    return rows;
  },
};
