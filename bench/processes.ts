import { notificationsFor } from "./callbacks.ts";
import { type Bench, inRounds, type Settings } from "./harness/bench.ts";
import { startChild } from "./harness/child.ts";
import { deliverByHub, type Deliverer, measureDeliveries } from "./harness/delivering.ts";
import { startHubUnderTest, token } from "./harness/hub-under-test.ts";
import type { Row } from "./harness/row.ts";
import { fileOf, type Server } from "./harness/server.ts";
import { manyReaders, measureFanOut } from "./live-fanout.ts";
import type { CallbacksLoad } from "./load/callbacks.ts";

/** Hub processes on one Redis, as servers that share the load. */
async function startHubs(processes: number): Promise<readonly Server[]> {
  const first = await startHubUnderTest({ engine: "redis", yaml: manyReaders });
  const hubs = [first];
  while (hubs.length < processes) {
    hubs.push(await startHubUnderTest({ engine: "redis", yaml: manyReaders, beside: first }));
  }
  return hubs.map((hub) => ({
    pid: hub.pid,
    target: { port: hub.port, path: hub.path, token },
    [Symbol.asyncDispose]: hub[Symbol.asyncDispose],
  }));
}

const besideOne = (name: string, unit: string, one: readonly number[], two: readonly number[]): Row => ({
  name,
  unit,
  ours: two,
  baselines: { "one process": one },
  targets: [],
});

async function fanOut(readers: number, settings: Settings): Promise<Row[]> {
  const { one, two } = await inRounds(settings.rounds, {
    one: () => measureFanOut(() => startHubs(1), readers, settings),
    two: () => measureFanOut(() => startHubs(2), readers, settings),
  });
  const row = (name: string, unit: string, key: "perSecond" | "p99"): Row => {
    const of = (figures: typeof one): number[] => figures.map((figure) => figure[key]);
    return besideOne(`two processes, ${readers} sockets: ${name}`, unit, of(one), of(two));
  };
  return [row("deliveries", "/s", "perSecond"), row("publish to last socket, p99", "ms", "p99")];
}

async function callbacks(subscriptions: number, settings: Settings): Promise<Row[]> {
  await using receiver = await startChild<CallbacksLoad>(fileOf("load/callbacks.ts"));
  const urls = await receiver.ask("open", { subscriptions, origins: 10 });
  const started: Deliverer[] = [];
  const contender = async (processes: number) => {
    const deliverer = await deliverByHub({ engine: "redis" }, processes, receiver, urls);
    started.push(deliverer);
    return () =>
      measureDeliveries(deliverer, receiver, subscriptions, notificationsFor(subscriptions, settings));
  };
  try {
    const { one, two } = await inRounds(settings.rounds, {
      one: await contender(1),
      two: await contender(2),
    });
    return [besideOne(`two processes, ${subscriptions} subscriptions: deliveries`, "/s", one, two)];
  } finally {
    for (const deliverer of started) await deliverer[Symbol.asyncDispose]();
  }
}

/** What a second hub process adds on this machine, beside the load and Redis that run on it too. No targets. */
export const processes: Bench = {
  about: "live-fanout and callbacks with two hub processes on one Redis, beside one",
  async run(settings) {
    if (!settings.engines.includes("redis")) return [];
    const [readers, subscriptions] = settings.isQuick ? [50, 20] : [1000, 1000];
    return [...(await fanOut(readers, settings)), ...(await callbacks(subscriptions, settings))];
  },
};
