/** Replay with nothing around it: reads the log of an engine and writes it to a socket. `log-to-socket.ts DIRECTORY [REDIS-URL]` */
import { once } from "node:events";
import { createServer } from "node:http";
import type { Duplex } from "node:stream";
import { channelIdOf, parseSetId } from "../../src/channels/channel.ts";
import { openEngine } from "../../src/engine.ts";
import { createEvents } from "../../src/observability/events.ts";
import { silentLogger } from "../../src/observability/logger.ts";
import { createMetrics } from "../../src/observability/metrics.ts";
import { textFrame } from "../../src/protocol/live-frames.ts";
import { answer } from "../harness/child.ts";
import { newNotification } from "../harness/new-notification.ts";
import { inParallel } from "../load/publisher.ts";
import { portOf } from "./http-server.ts";

const [data = "", url] = process.argv.slice(2);
const storage =
  url === undefined
    ? { engine: "embedded" as const, data }
    : { engine: "redis" as const, url, prefix: "bench", data };
const { log } = await openEngine(storage, createEvents(silentLogger, createMetrics()));
const set = parseSetId("bench");
if (set === undefined) throw new Error("bench is a good id");
const channel = channelIdOf(set, "change-notification");

async function replay(socket: Duplex): Promise<void> {
  for (let after = 0; ;) {
    const page = await log.read(channel, after, 256, 256 * 1024);
    const last = page.at(-1);
    if (last === undefined) return;
    const bytes = Buffer.concat(page.map(({ payload }) => textFrame(payload)));
    if (!socket.write(bytes)) await once(socket, "drain");
    after = last.sequence;
  }
}

const server = createServer();
server.on("upgrade", (_request, socket) => {
  socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
  socket.on("error", () => {});
  void replay(socket);
});
server.listen(0, "127.0.0.1");
await once(server, "listening");

const handlers = {
  port: () => portOf(server),
  /** Appends so many notifications. */
  async fill(notifications: number): Promise<void> {
    await inParallel(notifications, 100, (index) => log.append(channel, newNotification(index + 1)));
  },
};
export type LogToSocket = typeof handlers;
answer(handlers);
