import { type Bench, inRounds, type Settings } from "./harness/bench.ts";
import { startChild } from "./harness/child.ts";
import {
  deliverByHub,
  deliverByJobs,
  deliverByLoops,
  type Deliverer,
  measureDeliveries,
} from "./harness/delivering.ts";
import type { Row } from "./harness/row.ts";
import { fileOf } from "./harness/server.ts";
import type { CallbacksLoad } from "./load/callbacks.ts";

interface Size {
  readonly subscriptions: number;
  readonly origins: number;
}

const usual: readonly Size[] = [
  { subscriptions: 1, origins: 1 },
  { subscriptions: 100, origins: 1 },
  { subscriptions: 100, origins: 10 },
  { subscriptions: 1000, origins: 10 },
  { subscriptions: 1000, origins: 100 },
  { subscriptions: 10_000, origins: 100 },
];
const all = [1, 100, 1000, 10_000].flatMap((subscriptions) =>
  [1, 10, 100].filter((origins) => origins <= subscriptions).map((origins) => ({ subscriptions, origins })),
);

function sizesOf({ numbers, flags, isQuick }: Settings): readonly Size[] {
  const [subscriptions, origins = 1] = numbers;
  if (subscriptions !== undefined) return [{ subscriptions, origins }];
  if (isQuick) return [{ subscriptions: 20, origins: 2 }];
  return flags.has("--all") ? all : usual;
}

/** Of a measurement: enough deliveries for some seconds. */
export function notificationsFor(subscriptions: number, { isQuick }: Settings): number {
  if (isQuick) return Math.max(2, Math.round(200 / subscriptions));
  return Math.max(5, Math.min(2000, Math.round(40_000 / subscriptions)));
}

async function measure(size: Size, settings: Settings): Promise<Row[]> {
  const { subscriptions, origins } = size;
  await using receiver = await startChild<CallbacksLoad>(fileOf("load/callbacks.ts"));
  const callbacks = await receiver.ask("open", size);
  const started: Deliverer[] = [];
  // They stay for all rounds: ten thousand subscriptions take their time to be verified.
  const contender = async (starting: Promise<Deliverer>, inOrder = true) => {
    const deliverer = await starting;
    started.push(deliverer);
    const notifications = notificationsFor(subscriptions, settings);
    return () => measureDeliveries(deliverer, receiver, subscriptions, notifications, inOrder);
  };
  try {
    const contenders: Record<string, () => Promise<number>> = {};
    for (const engine of settings.engines) {
      contenders[engine] = await contender(deliverByHub({ engine }, 1, receiver, callbacks));
    }
    contenders["request"] = await contender(deliverByLoops("request", callbacks));
    contenders["dispatch"] = await contender(deliverByLoops("dispatch", callbacks));
    contenders["jobs"] = await contender(deliverByJobs(callbacks), false);
    const figures = await inRounds(settings.rounds, contenders);
    const { request = [], dispatch = [], jobs = [] } = figures;
    const judged: Row["targets"] = [
      { baseline: "undici request", atLeast: 0.7 },
      { baseline: "a BullMQ job each", atLeast: 3 },
    ];
    return settings.engines.map((engine) => ({
      name: `${engine}, ${subscriptions} subscriptions on ${origins} origins: deliveries`,
      unit: "/s",
      ours: figures[engine] ?? [],
      baselines: { "undici request": request, "undici dispatch": dispatch, "a BullMQ job each": jobs },
      targets: subscriptions >= 100 ? judged : [],
    }));
  } finally {
    for (const deliverer of started) await deliverer[Symbol.asyncDispose]();
  }
}

/** Numbers: subscriptions, and on how many origins. `--all`: every combination. */
export const callbacks: Bench = {
  about: "signed notifications of 2 KB delivered in order, acknowledged and cursors stored",
  async run(settings) {
    const rows: Row[] = [];
    for (const size of sizesOf(settings)) rows.push(...(await measure(size, settings)));
    return rows;
  },
};
