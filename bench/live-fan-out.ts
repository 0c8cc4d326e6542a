/**
 * How fast one notification reaches many WebSocket readers: the hub's live channels beside a loop of `ws.send`, in one run
 * and on one machine, so that the ratio means something where the figures do not. The readers are a process of their own.
 *
 *   npx tsx bench/live-fan-out.ts [readers] [notifications]
 */
import { fork } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WebSocketServer } from "ws";
import { type Channel, channelIdOf, parseSetId } from "../src/channels/channel.ts";
import { createLiveChannels } from "../src/live/live-channels.ts";
import { openEmbeddedEnvironment } from "../src/log/embedded-environment.ts";
import { createEmbeddedNotificationLog } from "../src/log/embedded-notification-log.ts";
import type { NotificationLog } from "../src/log/notification-log.ts";
import { createEvents } from "../src/observability/events.ts";
import { silentLogger } from "../src/observability/logger.ts";
import { createMetrics } from "../src/observability/metrics.ts";

const payloadBytes = 2048;
const frameBytes = 4 + payloadBytes;
const rounds = 3;
/** Publications under way at a time. */
const publishers = 16;

interface Fanning {
  readonly server: Server;
  close(): Promise<void>;
}

type Contender = (log: NotificationLog, channel: Channel) => Fanning;

const hub: Contender = (log, channel) => {
  const server = createServer();
  const live = createLiveChannels({
    log,
    events: createEvents(silentLogger, createMetrics()),
    limits: { readersPerChannel: 100_000, bufferBytes: 1_000_000, pingInterval: 30_000 },
    now: Date.now,
  });
  server.on("upgrade", (request, socket, head) => live.acceptWebSocket(channel, request, socket, head));
  return { server, close: () => live.close(AbortSignal.timeout(100)) };
};

const sendLoop: Contender = (log, channel) => {
  const server = createServer();
  const sockets = new WebSocketServer({ server, perMessageDeflate: false });
  let last = 0;
  let running = Promise.resolve();
  const stop = log.onAppend(() => {
    running = running.then(async () => {
      for (const { sequence, payload } of await log.read(channel.id, last, 1000)) {
        last = sequence;
        const text = payload.toString("utf8");
        for (const socket of sockets.clients) socket.send(text);
      }
    });
  });
  return {
    server,
    async close() {
      stop();
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      await running;
    },
  };
};

interface Figures {
  readonly perSecond: number;
  readonly microseconds: number;
}

async function measure(contender: Contender, readers: number, notifications: number): Promise<Figures> {
  const directory = await mkdtemp(join(tmpdir(), "hub-bench-"));
  const environment = await openEmbeddedEnvironment(directory);
  const log = createEmbeddedNotificationLog(environment);
  const channel = channelFor();
  const fanning = contender(log, channel);
  const { server } = fanning;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;

  const child = fork(import.meta.filename, ["--read", String(port), String(readers), String(notifications)]);
  const told = (): Promise<unknown> => new Promise((resolve) => child.once("message", resolve));
  await told();
  const [began, cpu, finished] = [performance.now(), process.cpuUsage(), told()];
  await publish(log, channel, notifications);
  await finished;
  const [milliseconds, { user, system }] = [performance.now() - began, process.cpuUsage(cpu)];

  child.kill();
  await fanning.close();
  server.closeAllConnections();
  server.close();
  await log.close();
  await environment.close();
  await rm(directory, { recursive: true, force: true });
  const deliveries = readers * notifications;
  return { perSecond: (deliveries / milliseconds) * 1000, microseconds: (user + system) / deliveries };
}

async function publish(log: NotificationLog, channel: Channel, notifications: number): Promise<void> {
  let next = 0;
  const publisher = async (): Promise<void> => {
    while (next < notifications) {
      const payload = Buffer.alloc(payloadBytes, `<urlset n="${(next += 1)}"/>`);
      await log.append(channel.id, {
        payload,
        contentType: "application/xml",
        digest: createHash("sha256").update(payload).digest("hex"),
        interval: undefined,
        receipt: "",
        idempotencyKey: undefined,
        repeatWindow: 0,
        refuseOverlap: false,
      });
    }
  };
  await Promise.all(Array.from({ length: publishers }, publisher));
}

function channelFor(): Channel {
  const set = parseSetId("bench");
  if (set === undefined) throw new Error("no set");
  const url = "http://127.0.0.1/";
  const id = channelIdOf(set, "change-notification");
  const urls = { url, socketUrl: url, topic: url, hubUrl: url, capabilityListUrl: url };
  return { id, set, kind: "change-notification", profile: "auto", ...urls };
}

/** The reading process: bare sockets that count bytes, so that reading costs as little as it can. */
async function read(port: number, readers: number, notifications: number): Promise<void> {
  const expected = readers * notifications * frameBytes;
  let received = 0;
  const open = (): Promise<void> =>
    new Promise((resolve) => {
      const socket = connect(port, "127.0.0.1", () => {
        const key = Buffer.alloc(16).toString("base64");
        socket.write(
          `GET / HTTP/1.1\r\nHost: bench\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
        );
      });
      socket.once("data", () => {
        resolve();
        socket.on("data", (chunk) => {
          received += chunk.length;
          if (received >= expected) process.send?.("done");
        });
      });
    });
  for (let opened = 0; opened < readers; opened += 100) {
    await Promise.all(Array.from({ length: Math.min(100, readers - opened) }, open));
  }
  process.send?.("ready");
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;

async function compare(readers: number, notifications: number): Promise<void> {
  const contenders = { "ws.send to each": sendLoop, hub };
  const figures = new Map<string, Figures[]>();
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, contender] of Object.entries(contenders)) {
      const before = figures.get(name) ?? [];
      figures.set(name, [...before, await measure(contender, readers, notifications)]);
    }
  }
  console.log(
    `${notifications} notifications of ${payloadBytes} bytes to ${readers} readers, medians of ${rounds}`,
  );
  const rates = [...figures].map(([name, all]) => {
    const rate = median(all.map(({ perSecond }) => perSecond));
    const cost = median(all.map(({ microseconds }) => microseconds));
    console.log(
      `  ${name.padEnd(16)} ${Math.round(rate).toLocaleString("en")} deliveries/s, ${cost.toFixed(2)} µs of CPU each`,
    );
    return rate;
  });
  console.log(`  ratio            ${((rates[1] ?? 0) / (rates[0] ?? 1)).toFixed(2)}`);
}

const [first, ...others] = process.argv.slice(2);
if (first === "--read") {
  const [port = 0, readers = 0, notifications = 0] = others.map(Number);
  await read(port, readers, notifications);
} else {
  await compare(Number(first ?? 1000), Number(others[0] ?? 1000));
}
