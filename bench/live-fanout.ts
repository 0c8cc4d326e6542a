import { type Bench, inRounds, pick, type Settings } from "./harness/bench.ts";
import { startChild, usageOf } from "./harness/child.ts";
import type { Row } from "./harness/row.ts";
import { fileOf, type Server, startBaseline, startHubServer } from "./harness/server.ts";
import type { FanOutLoad } from "./load/fan-out.ts";

interface Figures {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Bytes of the server for each socket. */
  readonly memory: number;
}

/** Publications under way: enough to keep the server busy, few enough that none waits long. */
const window = 16;

/** Deliveries of a measurement: enough for some seconds at the rates of this kind of server. */
function notificationsFor(readers: number, { isQuick }: Settings): number {
  if (isQuick) return 20;
  return Math.max(100, Math.min(4000, Math.round(2_000_000 / readers)));
}

/** Lets go of the servers. */
async function endAll(servers: readonly AsyncDisposable[]): Promise<void> {
  for (const server of servers.toReversed()) await server[Symbol.asyncDispose]();
}

/** Publishes to readers that are spread over the servers, which are started for it and ended after it. */
export async function measureFanOut(
  start: () => Promise<readonly Server[]>,
  readers: number,
  settings: Settings,
  deflate = false,
): Promise<Figures> {
  const servers = await start();
  try {
    await using load = await startChild<FanOutLoad>(fileOf("load/fan-out.ts"));
    const targets = servers.map(({ target }) => target);
    const resident = async (): Promise<number> =>
      (await Promise.all(servers.map(({ pid }) => usageOf(pid)))).reduce((sum, one) => sum + one.resident, 0);
    const before = await resident();
    await load.ask("open", { targets, readers, deflate });
    const opened = await resident();
    const notifications = notificationsFor(readers, settings);
    // What is compiled while it runs for the first time is not what is measured.
    await load.ask("publish", { targets, notifications: Math.ceil(notifications / 5), window });
    const figures = await load.ask("publish", { targets, notifications, window });
    return { ...figures, memory: (opened - before) / readers };
  } finally {
    await endAll(servers);
  }
}

const frames = "one frame, raw sockets";
const usual = "ws.send to each";

function rowsOf(
  readers: number,
  figures: Record<"ours" | "ws" | "frames", Figures[]>,
  deflate: boolean,
): Row[] {
  const isJudged = !deflate && (readers === 1000 || readers === 10_000);
  const row = (name: string, unit: string, of: (one: Figures) => number, targets: Row["targets"]): Row => {
    const { ours, ws, frames: bare } = pick(figures, of);
    const title = `${readers} sockets${deflate ? ", deflate" : ""}: ${name}`;
    return { name: title, unit, ours, baselines: { [usual]: ws, [frames]: bare }, targets };
  };
  const rates = isJudged
    ? [
        { baseline: frames, atLeast: 0.85 },
        { baseline: usual, atLeast: 2.5 },
      ]
    : [];
  const deflated = [{ baseline: frames, atLeast: 0.8 }];
  const slowest = readers === 1000 && !deflate ? [{ baseline: frames, atMost: 1.3 }] : [];
  const memory = isJudged ? [{ baseline: frames, atMostMore: 12_000 }] : [];
  return [
    row("deliveries", "/s", (one) => one.perSecond, deflate ? deflated : rates),
    row("publish to last socket, p50", "ms", (one) => one.p50, []),
    row("publish to last socket, p99", "ms", (one) => one.p99, slowest),
    row("memory a socket", "bytes", (one) => one.memory, memory),
  ];
}

export const manyReaders = "limits: { readersPerChannel: 20000 }\n";

/** `--deflate`: readers that agree on permessage-deflate. Numbers: of sockets. */
export const liveFanout: Bench = {
  about: "notifications of 2 KB, published over HTTP as fast as they are accepted, to many WebSocket readers",
  async run(settings) {
    const deflate = settings.flags.has("--deflate");
    const usualSizes = settings.isQuick ? [100] : [100, 1000, 5000, 10_000];
    const sizes = settings.numbers.length > 0 ? settings.numbers : usualSizes;
    const rows: Row[] = [];
    for (const readers of sizes) {
      const measured = (start: () => Promise<Server>) => () =>
        measureFanOut(async () => [await start()], readers, settings, deflate);
      const words = deflate ? ["deflate"] : [];
      const figures = await inRounds(settings.rounds, {
        ours: measured(() => startHubServer({ engine: "embedded", yaml: manyReaders })),
        ws: measured(() => startBaseline("ws-loop.ts", words)),
        frames: measured(() => startBaseline("frame-loop.ts", words)),
      });
      rows.push(...rowsOf(readers, figures, deflate));
    }
    return rows;
  },
};
