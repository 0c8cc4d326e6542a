/**
 * What a delivery costs beside its HTTP request: notifications delivered to many callbacks by a whole delivery (claims, cursors,
 * order, signatures off), and the same POSTs sent by the guarded client alone. The callbacks are a process of their own.
 *
 *   npx tsx bench/delivery.ts [subscriptions] [notifications] [--per-origin attempts] [--redis url]
 */
import { fork } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createChannels, topicsOfSets } from "../src/channels/registry.ts";
import { parseSetId } from "../src/channels/channel.ts";
import { attemptDelivery } from "../src/delivery/attempt-delivery.ts";
import { startDelivery } from "../src/delivery/delivery.ts";
import { recordDeliveries } from "../src/delivery/record-deliveries.ts";
import { createRetryPolicy } from "../src/delivery/retry-policy.ts";
import { openEngine } from "../src/engine.ts";
import { createEvents } from "../src/observability/events.ts";
import { silentLogger } from "../src/observability/logger.ts";
import { createMetrics } from "../src/observability/metrics.ts";
import { sha256Hex } from "../src/protocol/hash.ts";
import { createOutboundHttp } from "../src/security/outbound-http.ts";
import { subscriptionIdOf } from "../src/subscriptions/subscription-id.ts";
import { compare, type Round, timed } from "./median.ts";

const rounds = 3;
const redis = process.argv.includes("--redis")
  ? process.argv[process.argv.indexOf("--redis") + 1]
  : undefined;
const perOriginAt = process.argv.indexOf("--per-origin");
const perOrigin = perOriginAt === -1 ? 32 : Number(process.argv[perOriginAt + 1]);
const payloadOf = (number: number): Buffer => Buffer.alloc(2048, `<urlset n="${number}"/>`);

/** The receiving process: counts, and says when it has seen as many as are expected. */
async function receive(expected: number): Promise<void> {
  let seen = 0;
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      response.writeHead(204).end();
      seen += 1;
      if (seen % expected === 0) process.send?.("all");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  process.send?.(typeof address === "object" && address !== null ? address.port : 0);
}

async function startReceiver(expected: number) {
  const child = fork(import.meta.filename, ["--receive", String(expected)]);
  const told = (): Promise<unknown> => new Promise((resolve) => child.once("message", resolve));
  const port = Number(await told());
  return { port, all: told, end: () => child.kill() };
}

const set = parseSetId("bench");
if (set === undefined) throw new Error("bench is a good id");
const channels = createChannels({
  baseUrl: "http://127.0.0.1:1",
  sets: [{ id: set, capabilities: {}, profile: "auto", channels: "websub", topics: {} }],
});
const [id, topic] = channels.all.map((channel) => [channel.id, channel.topic] as const)[0] ?? noChannel();

function noChannel(): never {
  throw new Error("a set has channels");
}

async function ofDelivery(subscriptions: number, notifications: number): Promise<Round> {
  const directory = await mkdtemp(join(tmpdir(), "hub-bench-"));
  const events = createEvents(silentLogger, createMetrics());
  const storage =
    redis === undefined
      ? { engine: "embedded" as const, data: directory }
      : { engine: "redis" as const, data: directory, url: redis, prefix: `bench${crypto.randomUUID()}` };
  const engine = await openEngine(storage, events);
  const outbound = createOutboundHttp({ allow: ["127.0.0.1"], events, userAgent: "bench" });
  const receiver = await startReceiver(subscriptions * notifications);
  for (let number = 0; number < subscriptions; number += 1) {
    const callback = `http://127.0.0.1:${receiver.port}/${number}`;
    await engine.subscriptions.activate(
      {
        id: subscriptionIdOf(id, topic, callback),
        channel: id,
        topic,
        callback,
        secret: undefined,
        previousSecret: undefined,
        exhausted: undefined,
        leaseSeconds: 3600,
        expiresAt: Date.now() + 3_600_000,
        createdAt: Date.now(),
      },
      0,
    );
  }
  const delivery = await startDelivery({
    ...engine,
    topics: topicsOfSets(channels),
    attempt: attemptDelivery({ outbound, timeout: 10_000, signatureMethod: "sha256", now: Date.now }),
    retry: createRetryPolicy({ schedule: [1000], giveUpAfter: 3_600_000, random: Math.random }),
    exhausted: "park",
    deadLetters: 10_000,
    records: recordDeliveries({
      rings: engine.recordRings,
      max: 10_000,
      keep: 604_800_000,
      events,
      now: Date.now,
    }),
    concurrency: 128,
    perOrigin,
    events,
    now: Date.now,
  });
  const round = await timed(subscriptions * notifications, async () => {
    const all = receiver.all();
    for (let number = 0; number < notifications; number += 1) {
      const payload = payloadOf(number);
      const rest = { interval: undefined, receipt: "", idempotencyKey: undefined, refuseOverlap: false };
      const contentType = "application/xml";
      await engine.log.append(id, {
        payload,
        contentType,
        digest: sha256Hex(payload),
        repeatWindow: 1,
        ...rest,
      });
    }
    await all;
  });
  await delivery.close(AbortSignal.timeout(1000));
  await outbound.close();
  await engine.close();
  receiver.end();
  await rm(directory, { recursive: true });
  return round;
}

async function ofPosts(subscriptions: number, notifications: number): Promise<Round> {
  const events = createEvents(silentLogger, createMetrics());
  const outbound = createOutboundHttp({ allow: ["127.0.0.1"], events, userAgent: "bench" });
  const receiver = await startReceiver(subscriptions * notifications);
  const round = await timed(subscriptions * notifications, async () => {
    const all = receiver.all();
    const post = async (number: number): Promise<void> => {
      const request = {
        method: "POST",
        url: `http://127.0.0.1:${receiver.port}/${number}`,
        timeout: 10_000,
        maxBytes: 1024,
      };
      for (let sent = 0; sent < notifications; sent += 1) {
        await outbound.request({ ...request, method: "POST", headers: {}, body: payloadOf(sent) });
      }
    };
    await Promise.all(Array.from({ length: subscriptions }, (_, number) => post(number)));
    await all;
  });
  await outbound.close();
  receiver.end();
  return round;
}

const numbers = process.argv.filter((word, at) => at !== perOriginAt + 1 && /^\d+$/.test(word)).map(Number);
if (process.argv.includes("--receive")) {
  await receive(numbers[0] ?? 0);
} else {
  const [subscriptions = 100, notifications = 200] = numbers;
  const [ours, posts]: [Round[], Round[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await ofDelivery(subscriptions, notifications));
    posts.push(await ofPosts(subscriptions, notifications));
  }
  const where = redis === undefined ? "embedded" : "Redis";
  console.log(
    `${notifications} notifications of 2 KB to ${subscriptions} callbacks at one origin, ${where} engine, medians of ${rounds}`,
  );
  console.log(compare(ours, posts, ["hub: in order, durable cursors", "the guarded client alone"]));
}
