import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Bench, inRounds, type Settings } from "./harness/bench.ts";
import { startChild } from "./harness/child.ts";
import { startRedis } from "./harness/redis-server.ts";
import type { Row } from "./harness/row.ts";
import { fileOf, type Server, startBaseline, startHubServer } from "./harness/server.ts";
import type { IngestLoad } from "./load/ingest.ts";

type Durability = "embedded" | "redis, fsync always" | "redis, fsync everysec";

const fsyncOf = (durability: Durability): "always" | "everysec" =>
  durability === "redis, fsync always" ? "always" : "everysec";

/** A baseline with a store of its own, as durable as the hub's. */
async function startBare(framework: "http" | "express", durability: Durability): Promise<Server> {
  if (durability !== "embedded") {
    const redis = await startRedis(fsyncOf(durability));
    const server = await startBaseline("ingest.ts", [framework, "redis", redis.url]);
    return {
      ...server,
      async [Symbol.asyncDispose]() {
        await server[Symbol.asyncDispose]();
        await redis[Symbol.asyncDispose]();
      },
    };
  }
  const directory = await mkdtemp(join(tmpdir(), "hub-bench-"));
  const server = await startBaseline("ingest.ts", [framework, "lmdb", directory]);
  return {
    ...server,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

const startHub = (durability: Durability): Promise<Server> =>
  startHubServer({
    engine: durability === "embedded" ? "embedded" : "redis",
    fsync: fsyncOf(durability),
  });

/** Seconds of a measurement. */
const duration = 3;

async function measure(
  start: () => Promise<Server>,
  connections: number,
  { isQuick }: Settings,
): Promise<number> {
  await using server = await start();
  await using load = await startChild<IngestLoad>(fileOf("load/ingest.ts"));
  const publish = (notifications: number): Promise<number> =>
    load.ask("publish", { target: server.target, connections, notifications });
  if (isQuick) return await publish(200);
  // What is compiled while it runs for the first time is not what is measured; and it tells how many are enough.
  await publish(500);
  const perSecond = await publish(1000);
  return await publish(Math.round(Math.min(60_000, Math.max(500, perSecond * duration))));
}

/** Numbers: of connections. */
export const ingest: Bench = {
  about: "notifications of 2 KB made durable, published over HTTP on connections that stay open",
  async run(settings) {
    const rows: Row[] = [];
    const durabilities = settings.engines.flatMap((engine): readonly Durability[] =>
      engine === "embedded" ? ["embedded"] : ["redis, fsync always", "redis, fsync everysec"],
    );
    const sizes = settings.numbers.length > 0 ? settings.numbers : settings.isQuick ? [50] : [1, 50];
    for (const durability of durabilities) {
      for (const connections of sizes) {
        const figures = await inRounds(settings.rounds, {
          ours: () => measure(() => startHub(durability), connections, settings),
          http: () => measure(() => startBare("http", durability), connections, settings),
          express: () => measure(() => startBare("express", durability), connections, settings),
        });
        rows.push({
          name: `${durability}, ${connections} connection${connections === 1 ? "" : "s"}: publications`,
          unit: "/s",
          ours: figures.ours,
          baselines: { "node:http, saxes, one write": figures.http, "the same in express": figures.express },
          targets: [
            { baseline: "node:http, saxes, one write", atLeast: 0.6 },
            { baseline: "the same in express", atLeast: 1 },
          ],
        });
      }
    }
    return rows;
  },
};
