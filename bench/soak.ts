import type { Bench, EngineName, Settings } from "./harness/bench.ts";
import { startChild, usageOf } from "./harness/child.ts";
import { startHubUnderTest, token } from "./harness/hub-under-test.ts";
import { metricOf } from "./harness/metrics.ts";
import type { Row } from "./harness/row.ts";
import { fileOf } from "./harness/server.ts";
import { trendOf } from "./harness/statistics.ts";
import type { SoakLoad } from "./load/soak.ts";
import { subscribeAll } from "./load/subscribe.ts";

const perSecond = 50;
const readers = 100;
const callbacks = { good: 20, failing: 10 };
const usualMinutes = 10;
/** In which those that were behind at the end may catch up. */
const patience = 180;

/** So that a callback that works again is soon found out about. */
const yaml = "delivery: { retry: [200ms, 500ms, 1s] }\n";

async function soakEngine(engine: EngineName, seconds: number): Promise<Row[]> {
  await using hub = await startHubUnderTest({ engine, yaml });
  await using load = await startChild<SoakLoad>(fileOf("load/soak.ts"));
  await subscribeAll(hub, await load.ask("callbacks", callbacks));
  const target = { port: hub.port, path: hub.path, token };
  await load.ask("start", { target, perSecond, readers });
  const lag = (): Promise<number> => metricOf([hub], "hub_nodejs_eventloop_lag_p99_seconds");
  // Being asked begins it anew: at the end it is that of the whole time.
  await lag();
  const memory: number[] = [];
  for (let second = 0; second < seconds; second += 1) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    memory.push((await usageOf(hub.pid)).anonymous / 1e6);
    if (second % 60 === 59) process.stderr.write(`  ${engine}: ${memory.at(-1)} MB\n`);
  }
  const delay = (await lag()) * 1000;
  const ended = await load.ask("stop", { seconds: patience });
  process.stderr.write(`  ${engine}: ${JSON.stringify(ended)}\n`);
  if (ended.missing > 0 || ended.disordered > 0) process.exitCode = 1;
  const { rise, deviation } = trendOf(memory.slice(Math.floor(memory.length / 2)));
  const noise = "twice the standard deviation about the line";
  const figure = (name: string, unit: string, value: number, targets: Row["targets"]): Row => ({
    name: `${engine}: ${name}`,
    unit,
    ours: [value],
    baselines: {},
    targets,
  });
  return [
    figure("notifications published", "", ended.published, []),
    figure("reconnections of readers", "", ended.reconnections, []),
    figure("deliveries missing at the end", "", ended.missing, [{ atMost: 0 }]),
    figure("deliveries out of order", "", ended.disordered, [{ atMost: 0 }]),
    {
      ...figure("growth of memory in the second half", "MB", rise, [{ baseline: noise, atMostMore: 0 }]),
      baselines: { [noise]: [2 * deviation] },
    },
    figure("event-loop delay, p99", "ms", delay, [{ atMost: 50 }]),
  ];
}

/** Numbers: minutes for each engine. */
export const soak: Bench = {
  about: `${perSecond} notifications a second, ${readers} readers that break off and resume, ${callbacks.good} callbacks, and ${callbacks.failing} that fail for a while`,
  runsOnlyByName: true,
  async run({ engines, numbers, isQuick }: Settings) {
    const seconds = isQuick ? 6 : (numbers[0] ?? usualMinutes) * 60;
    const rows: Row[] = [];
    for (const engine of engines) rows.push(...(await soakEngine(engine, seconds)));
    return rows;
  },
};
