import { join } from "node:path";
import type { BaselineServer } from "./baselines/ws-loop.ts";
import { type Bench, inRounds, type Settings } from "./harness/bench.ts";
import { startChild, usageOf } from "./harness/child.ts";
import { startHubUnderTest, token } from "./harness/hub-under-test.ts";
import type { Row } from "./harness/row.ts";
import type { FanOutLoad, Target } from "./load/fan-out.ts";

interface Server extends AsyncDisposable {
  readonly pid: number;
  readonly target: Target;
}

interface Figures {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Bytes of the server for each socket. */
  readonly memory: number;
}

const here = (file: string): string => join(import.meta.dirname, file);
/** Publications under way: enough to keep the server busy, few enough that none waits long. */
const window = 16;

/** Deliveries of a measurement: enough for some seconds at the rates of this kind of server. */
function notificationsFor(readers: number, { isQuick }: Settings): number {
  if (isQuick) return 20;
  return Math.max(100, Math.min(4000, Math.round(2_000_000 / readers)));
}

async function startBaseline(file: string, deflate: boolean): Promise<Server> {
  const child = await startChild<BaselineServer>(here(file), deflate ? ["deflate"] : []);
  const port = await child.ask("port", undefined);
  return {
    pid: child.pid,
    target: { port, path: "/", token: "" },
    [Symbol.asyncDispose]: child[Symbol.asyncDispose],
  };
}

async function startHub(): Promise<Server> {
  const hub = await startHubUnderTest({
    engine: "embedded",
    yaml: "limits: { readersPerChannel: 20000 }\n",
  });
  const target = { port: hub.port, path: hub.path, token };
  return { pid: hub.pid, target, [Symbol.asyncDispose]: hub[Symbol.asyncDispose] };
}

async function measure(
  start: () => Promise<Server>,
  readers: number,
  settings: Settings,
  deflate: boolean,
): Promise<Figures> {
  await using server = await start();
  await using load = await startChild<FanOutLoad>(here("load/fan-out.ts"));
  const { target } = server;
  const before = await usageOf(server.pid);
  await load.ask("open", { target, readers, deflate });
  const opened = await usageOf(server.pid);
  const notifications = notificationsFor(readers, settings);
  // What is compiled while it runs for the first time is not what is measured.
  await load.ask("publish", { target, notifications: Math.ceil(notifications / 5), window });
  const figures = await load.ask("publish", { target, notifications, window });
  return { ...figures, memory: (opened.resident - before.resident) / readers };
}

function rowsOf(
  readers: number,
  figures: Record<"ours" | "ws" | "frames", Figures[]>,
  deflate: boolean,
): Row[] {
  const of = (key: keyof Figures, name: "ours" | "ws" | "frames") => figures[name].map((one) => one[key]);
  const name = `${readers} sockets${deflate ? ", deflate" : ""}`;
  const against = (key: keyof Figures) => ({
    "ws.send to each": of(key, "ws"),
    "one frame, raw sockets": of(key, "frames"),
  });
  const isJudged = readers === 1000 || readers === 10_000;
  return [
    {
      name: `${name}: deliveries`,
      unit: "/s",
      ours: of("perSecond", "ours"),
      baselines: against("perSecond"),
      targets: deflate
        ? [{ baseline: "one frame, raw sockets", atLeast: 0.8 }]
        : isJudged
          ? [
              { baseline: "one frame, raw sockets", atLeast: 0.85 },
              { baseline: "ws.send to each", atLeast: 2.5 },
            ]
          : [],
    },
    {
      name: `${name}: publish to last socket, p50`,
      unit: "ms",
      ours: of("p50", "ours"),
      baselines: against("p50"),
      targets: [],
    },
    {
      name: `${name}: publish to last socket, p99`,
      unit: "ms",
      ours: of("p99", "ours"),
      baselines: against("p99"),
      targets: readers === 1000 && !deflate ? [{ baseline: "one frame, raw sockets", atMost: 1.3 }] : [],
    },
    {
      name: `${name}: memory a socket`,
      unit: "bytes",
      ours: of("memory", "ours"),
      baselines: against("memory"),
      targets: [],
    },
  ];
}

/** `--deflate`: readers that agree on permessage-deflate. Words: numbers of sockets. */
export const liveFanout: Bench = {
  about: "notifications of 2 KB, published over HTTP as fast as they are accepted, to many WebSocket readers",
  async run(settings) {
    const deflate = settings.flags.has("--deflate");
    const asked = settings.words.map(Number);
    const sizes = asked.length > 0 ? asked : settings.isQuick ? [100] : [100, 1000, 5000, 10_000];
    const rows: Row[] = [];
    for (const readers of sizes) {
      const figures = await inRounds(settings.rounds, {
        ours: () => measure(startHub, readers, settings, deflate),
        ws: () => measure(() => startBaseline("baselines/ws-loop.ts", deflate), readers, settings, deflate),
        frames: () =>
          measure(() => startBaseline("baselines/frame-loop.ts", deflate), readers, settings, deflate),
      });
      rows.push(...rowsOf(readers, figures, deflate));
    }
    return rows;
  },
};
