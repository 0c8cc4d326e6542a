import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { type Channel, channelIdOf, parseSetId } from "../../src/channels/channel.ts";
import { BadAfter } from "../../src/live/after.ts";
import { createLiveChannels, type LiveChannels, TooManyReaders } from "../../src/live/live-channels.ts";
import type { Entry, NotificationLog } from "../../src/log/notification-log.ts";
import { createEvents } from "../../src/observability/events.ts";
import { silentLogger } from "../../src/observability/logger.ts";
import { createMetrics, type Metrics } from "../../src/observability/metrics.ts";

import { closeServer, listenOnLoopback } from "./listen-on-loopback.ts";

export interface LiveServer extends AsyncDisposable {
  readonly channel: Channel;
  readonly live: LiveChannels;
  readonly metrics: Metrics;
  readonly http: Server;
  /** Of the channel, over HTTP. */
  readonly url: string;
  readonly socketUrl: string;
}

interface Options {
  readonly limits?: Partial<Parameters<typeof createLiveChannels>[0]["limits"]>;
  readonly deflate?: boolean;
  readonly changeList?: string;
  /** To come back where another one was. */
  readonly port?: number;
}

export function channelOf(name: string, at = "http://127.0.0.1"): Channel {
  const set = parseSetId(name)!;
  return {
    id: channelIdOf(set, "change-notification"),
    set,
    isPrivate: false,
    kind: "change-notification",
    profile: "auto",
    url: `${at}/`,
    socketUrl: `${at.replace(/^http/, "ws")}/`,
    topic: `${at}/`,
    hubUrl: `${at}/websub`,
    capabilityListUrl: `${at}/capabilitylist.xml`,
  };
}

/** The live part alone, behind a real HTTP server: one channel at every path. */
export async function startLiveServer(
  log: NotificationLog,
  { limits = {}, deflate = true, changeList, port = 0 }: Options = {},
): Promise<LiveServer> {
  const server = createServer();
  const at = await listenOnLoopback(server, port);
  const channel = channelOf("maps", at);
  const metrics = createMetrics();
  const live = createLiveChannels({
    log,
    events: createEvents(silentLogger, metrics),
    limits: {
      readersPerChannel: 1000,
      liveBytes: 1e9,
      bufferBytes: 1_000_000,
      pingInterval: 30_000,
      ...limits,
    },
    deflate,
    now: Date.now,
    changeListOf: () => changeList,
  });
  server.on("upgrade", (request: IncomingMessage, socket, head) => {
    live.acceptWebSocket(channel, request, socket, head);
  });
  server.on("request", (request, response) => {
    live.acceptEventStream(channel, request, response).catch((error: unknown) => {
      response.statusCode = error instanceof BadAfter ? 400 : error instanceof TooManyReaders ? 503 : 500;
      response.end(error instanceof Error ? error.message : "");
    });
  });
  return {
    channel,
    live,
    metrics,
    http: server,
    url: channel.url,
    socketUrl: channel.socketUrl,
    [Symbol.asyncDispose]: async () => {
      await live.close(AbortSignal.timeout(200));
      await closeServer(server);
    },
  };
}

let made = 0;

/** Appends a document that was never appended before, or `payload`. */
export async function append(
  log: NotificationLog,
  channel: Channel,
  payload?: Buffer | string,
): Promise<Entry> {
  made += 1;
  const bytes = Buffer.from(payload ?? `<urlset n="${made}"/>`);
  const outcome = await log.append(channel.id, {
    payload: bytes,
    contentType: "application/xml",
    digest: createHash("sha256").update(`${made}`).update(bytes).digest("hex"),
    interval: undefined,
    receipt: "",
    idempotencyKey: undefined,
    repeatWindow: 0,
    refuseOverlap: false,
  });
  if (outcome.kind !== "appended") throw new Error(outcome.kind);
  return outcome.entry;
}
