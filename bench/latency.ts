import { type Bench, type EngineName, inRounds, pick, type Settings } from "./harness/bench.ts";
import { type Child, startChild } from "./harness/child.ts";
import { startHubUnderTest, token } from "./harness/hub-under-test.ts";
import type { Row } from "./harness/row.ts";
import { fileOf, type Server, startBaseline } from "./harness/server.ts";
import type { LatencyLoad } from "./load/latency.ts";
import { subscribeAll } from "./load/subscribe.ts";

type Way = "socket" | "callback";
type Load = Child<LatencyLoad>;

interface Figures {
  readonly p50: number;
  readonly p99: number;
}

const ratesFor = ({ isQuick }: Settings): readonly number[] => (isQuick ? [100] : [10, 100, 1000]);
/** Of each rate: some dozens of notifications at least. */
const secondsFor = (perSecond: number, { isQuick }: Settings): number =>
  isQuick ? 0.5 : perSecond < 100 ? 6 : 4;

async function startOurs(engine: EngineName, way: Way, load: Load): Promise<Server> {
  const hub = await startHubUnderTest({ engine });
  const target = { port: hub.port, path: hub.path, token };
  if (way === "socket") await load.ask("socket", { target });
  else await subscribeAll(hub, [await load.ask("callback", undefined)]);
  return { pid: hub.pid, target, [Symbol.asyncDispose]: hub[Symbol.asyncDispose] };
}

async function startBare(way: Way, load: Load): Promise<Server> {
  if (way === "callback") return startBaseline("post-on.ts", [await load.ask("callback", undefined)]);
  const server = await startBaseline("frame-loop.ts");
  await load.ask("socket", { target: server.target });
  return server;
}

/** The figures of each rate, in their order. */
async function measure(
  start: (load: Load) => Promise<Server>,
  settings: Settings,
): Promise<readonly Figures[]> {
  await using load = await startChild<LatencyLoad>(fileOf("load/latency.ts"));
  await using server = await start(load);
  const { target } = server;
  await load.ask("publish", { target, perSecond: 200, seconds: settings.isQuick ? 0.2 : 2 });
  const figures: Figures[] = [];
  for (const perSecond of ratesFor(settings)) {
    const seconds = secondsFor(perSecond, settings);
    figures.push(await load.ask("publish", { target, perSecond, seconds }));
  }
  return figures;
}

async function measureWay(way: Way, settings: Settings): Promise<Row[]> {
  const contenders: Record<string, () => Promise<readonly Figures[]>> = {};
  for (const engine of settings.engines) {
    contenders[engine] = () => measure((load) => startOurs(engine, way, load), settings);
  }
  contenders["bare"] = () => measure((load) => startBare(way, load), settings);
  const figures = await inRounds(settings.rounds, contenders);
  const baseline = way === "socket" ? "a bare publish and write" : "a bare publish and POST";
  return settings.engines.flatMap((engine) =>
    ratesFor(settings).flatMap((perSecond, index) =>
      (["p50", "p99"] as const).map((key): Row => {
        const of = pick(figures, (all) => all[index]?.[key] ?? Number.NaN);
        return {
          name: `${engine}, publish to ${way} at ${perSecond}/s, ${key}`,
          unit: "ms",
          ours: of[engine] ?? [],
          baselines: { [baseline]: of["bare"] ?? [] },
          targets: key === "p50" ? [{ baseline, atMostMore: engine === "embedded" ? 1 : 3 }] : [],
        };
      }),
    ),
  );
}

export const latency: Bench = {
  about: "from the publication to the socket or the callback, at a steady rate",
  async run(settings) {
    return [...(await measureWay("socket", settings)), ...(await measureWay("callback", settings))];
  },
};
