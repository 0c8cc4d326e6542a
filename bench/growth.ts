import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Bench, type EngineName, inRounds, pick, type Settings } from "./harness/bench.ts";
import { type GrownStore, growStore, type Size } from "./harness/grown-store.ts";
import { startRedis } from "./harness/redis-server.ts";
import type { Row } from "./harness/row.ts";
import { median } from "./harness/statistics.ts";

const sizes: readonly Size[] = [
  { entries: 1000, subscriptions: 100 },
  { entries: 100_000, subscriptions: 10_000 },
  { entries: 1_000_000, subscriptions: 100_000 },
];
const quickSizes: readonly Size[] = [
  { entries: 100, subscriptions: 10 },
  { entries: 1000, subscriptions: 100 },
];
/** For the log of one store, and as long again for its subscriptions; a store that takes longer stays smaller. */
const fillSeconds = 55;
/** As many as one wake-up of a channel claims at a time. */
const lane = 300;

/** Microseconds. */
interface Figures {
  readonly publish: number;
  readonly page: number;
  readonly wakeUp: number;
  readonly cursor: number;
  readonly channelWakeUp: number;
}

async function microseconds(action: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await action();
  return (performance.now() - began) * 1000;
}

async function measureLog({ engine, channel, append }: GrownStore, times: number) {
  const [publish, page]: [number[], number[]] = [[], []];
  for (let time = 0; time < times; time += 1) publish.push(await microseconds(append));
  const { newest } = await engine.log.bounds(channel);
  for (let time = 0; time < times; time += 1) {
    const after = Math.floor(Math.random() * Math.max(1, newest - 100));
    page.push(await microseconds(() => engine.log.read(channel, after, 100)));
  }
  return { publish: median(publish), page: median(page) };
}

/** After `measureLog`, so that every subscription is behind. */
async function measureLedger({ engine: { ledger }, channel }: GrownStore, times: number) {
  const ids = await ledger.ids(channel);
  const [wakeUp, cursor]: [number[], number[]] = [[], []];
  for (let time = 0; time < times; time += 1) {
    const id = ids[Math.floor(Math.random() * ids.length)];
    if (id === undefined) throw new Error("there are no subscriptions");
    const began = performance.now();
    const claims = await ledger.claim(channel, [id], Date.now());
    wakeUp.push((performance.now() - began) * 1000);
    const moves = claims.map((claim) => {
      const from = claim.progress.cursor;
      return { claim, from, to: from + 1 };
    });
    // A subscription that was drawn so often that it has everything is behind no more.
    if (moves.length > 0) cursor.push(await microseconds(() => ledger.advance(channel, moves)));
    await ledger.release(channel, claims);
  }
  const began = performance.now();
  const all = await ledger.ids(channel);
  const claimed = [];
  for (let at = 0; at < all.length; at += lane) {
    claimed.push(await ledger.claim(channel, all.slice(at, at + lane), Date.now()));
  }
  const channelWakeUp = ((performance.now() - began) * 1000) / all.length;
  for (const claims of claimed) await ledger.release(channel, claims);
  return { wakeUp: median(wakeUp), cursor: median(cursor), channelWakeUp };
}

async function measure(store: GrownStore, { isQuick }: Settings): Promise<Figures> {
  const times = isQuick ? 20 : 200;
  return { ...(await measureLog(store, times)), ...(await measureLedger(store, times)) };
}

const words: Readonly<Record<keyof Figures, string>> = {
  publish: "one publication",
  page: "a page of 100 of catch-up",
  wakeUp: "the wake-up of one subscription",
  cursor: "one move of a cursor",
  channelWakeUp: "a channel's wake-up, for each subscription",
};

function rowsOf(
  engine: EngineName,
  stores: readonly GrownStore[],
  figures: Record<string, Figures[]>,
): Row[] {
  const nameOf = ({ size: { entries, subscriptions } }: GrownStore): string =>
    `${entries.toLocaleString("en")} entries, ${subscriptions.toLocaleString("en")} subscriptions`;
  const [smallest, ...larger] = stores;
  if (smallest === undefined) return [];
  const keys = ["publish", "page", "wakeUp", "cursor", "channelWakeUp"] as const;
  return keys.flatMap((key) =>
    larger.map((store, index): Row => {
      const of = pick(figures, (one) => one[key]);
      const baseline = `at ${nameOf(smallest)}`;
      return {
        name: `${engine}, ${words[key]}, at ${nameOf(store)}`,
        unit: "µs",
        ours: of[index + 1] ?? [],
        baselines: { [baseline]: of[0] ?? [] },
        targets: [{ baseline, atMost: 1.3 }],
      };
    }),
  );
}

async function measureEngine(engine: EngineName, settings: Settings): Promise<Row[]> {
  const directory = await mkdtemp(join(tmpdir(), "hub-bench-"));
  const redis = engine === "redis" ? await startRedis() : undefined;
  const stores: GrownStore[] = [];
  try {
    for (const [index, size] of (settings.isQuick ? quickSizes : sizes).entries()) {
      const data = join(directory, String(index));
      const storage =
        redis === undefined
          ? { engine: "embedded" as const, data }
          : { engine: "redis" as const, url: redis.url, prefix: `bench${index}`, data };
      const store = await growStore(storage, size, fillSeconds);
      stores.push(store);
      process.stderr.write(`  ${engine}: a store of ${JSON.stringify(store.size)}\n`);
    }
    // What is compiled while it runs for the first time is not what is measured.
    if (!settings.isQuick) for (const store of stores) await measure(store, settings);
    // All stores stay open, so that the sizes are measured in the same rounds.
    const contenders = stores.map((store, index) => [String(index), () => measure(store, settings)] as const);
    const figures = await inRounds<string, Figures>(settings.rounds, Object.fromEntries(contenders));
    return rowsOf(engine, stores, figures);
  } finally {
    for (const store of stores) await store[Symbol.asyncDispose]();
    await redis?.[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  }
}

/** In this process, by the engines' ports. */
export const growth: Bench = {
  about: "what one step costs beside a longer log and more subscriptions",
  async run(settings) {
    const rows: Row[] = [];
    for (const engine of settings.engines) rows.push(...(await measureEngine(engine, settings)));
    return rows;
  },
};
