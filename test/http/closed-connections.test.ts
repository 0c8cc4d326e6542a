import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { parseSetId } from "../../src/channels/channel.ts";
import { createPublishBudget } from "../../src/http/publish-budget.ts";
import { createReaderPermits } from "../../src/http/reader-permits.ts";
import { boundedBody, readBody } from "../../src/http/request-body.ts";
import { createLiveChannels } from "../../src/live/live-channels.ts";
import { createEvents } from "../../src/observability/events.ts";
import { silentLogger } from "../../src/observability/logger.ts";
import { createMetrics } from "../../src/observability/metrics.ts";
import { createAccess } from "../../src/security/access.ts";
import { connectEventReader } from "../live/event-reader.ts";
import { closeServer, listenOnLoopback } from "../live/listen-on-loopback.ts";
import { channelOf } from "../live/live-server.ts";
import { changeNotification } from "../support/documents.ts";
import { openEngine } from "../support/engines.ts";
import { rawConnection, requestText } from "../support/raw-request.ts";
import { publisherToken, startTestHub } from "../support/start-hub.ts";
import { waitUntil } from "../support/wait-until.ts";

const halfABody = requestText("POST /", ["Content-Length: 100000"], "<");

/** A request and its answer, looked at when the connection was closed already: as after a look-up that took its time. */
async function goneExchange(): Promise<{ request: IncomingMessage; response: ServerResponse }> {
  const server = createServer();
  const { port } = new URL(await listenOnLoopback(server));
  const arrived = new Promise<{ request: IncomingMessage; response: ServerResponse }>((resolve) =>
    server.once("request", (request, response) => resolve({ request, response })),
  );
  const socket = connect(Number(port), "127.0.0.1");
  socket.on("error", () => {}).write(halfABody);
  const exchange = await arrived;
  const gone = once(exchange.response, "close");
  socket.destroy();
  await gone;
  await closeServer(server);
  return exchange;
}

test("a publisher that went away while its token was looked at takes no room from the bodies of others", async () => {
  const enter = createPublishBudget({
    limits: { notificationBytes: 100_000, publishesPerMinute: 0, bodiesBytes: 100_000 },
    events: { limited: () => {} },
    now: Date.now,
  });
  const { request, response } = await goneExchange();
  enter("map-software", request, response);
  expect(() => enter("map-software", request, response)).not.toThrow();
});

test.each([
  ["in one piece", (request: IncomingMessage) => readBody(request, 100_000, "")],
  [
    "as it comes",
    async (request: IncomingMessage) => {
      for await (const _ of boundedBody(request, 100_000, "")) expect.fail("nothing can come");
    },
  ],
])("a body whose sender is gone already is told to be broken off, read %s", async (_how, read) => {
  const { request } = await goneExchange();
  await expect(read(request)).rejects.toMatchObject({
    problem: { status: 400, detail: "The connection ended before the body was complete." },
  });
});

test("a reader that went away while its token was looked at leaves no permit to be looked at again", async () => {
  let looks = 0;
  const verify = async () => {
    looks += 1;
    return "undecided" as const;
  };
  const access = createAccess([], { issuer: "https://issuer.example", verify, onKeysReplaced: () => {} });
  const permits = createReaderPermits(access, Date.now);
  const { response } = await goneExchange();
  permits.hold("rss_of-a-reader", parseSetId("maps")!, response);
  looks = 0;
  access.replace([]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(looks).toBe(0);
});

test("an event stream whose reader went away before it began counts no reader", async () => {
  await using engine = await openEngine("embedded");
  const metrics = createMetrics();
  const live = createLiveChannels({
    log: engine.log,
    events: createEvents(silentLogger, metrics),
    limits: { readersPerChannel: 1, liveBytes: 1e9, bufferBytes: 1e6, pingInterval: 30_000 },
    deflate: false,
    now: Date.now,
  });
  for (let n = 0; n < 3; n += 1) {
    const { request, response } = await goneExchange();
    await live.acceptEventStream(channelOf("maps"), request, response);
  }
  // With one of them counted, closing would wait for it until the deadline.
  await live.close(AbortSignal.timeout(60_000));
});

test("event streams that wait behind another answer of their connection are gone with it", async () => {
  await using hub = await startTestHub({ yaml: "limits: { readersPerChannel: 2 }\n" });
  const path = "/sets/maps/change-notification";
  const socket = await rawConnection(hub.port);
  socket.resume().write(requestText(`GET ${path}`, ["Accept: text/event-stream"]).repeat(2));
  const statusesOfTwo = async (): Promise<unknown> => {
    using one = await connectEventReader(`${hub.baseUrl}${path}`);
    using other = await connectEventReader(`${hub.baseUrl}${path}`);
    return [one, other].map(({ response }) => response.statusCode);
  };
  await waitUntil(async () => expect(await statusesOfTwo()).toEqual([503, 503]));
  socket.destroy();
  await waitUntil(async () => expect(await statusesOfTwo()).toEqual([200, 200]));
});

test("a publication that waits behind another answer of its connection gives its room back with it", async () => {
  await using hub = await startTestHub({ yaml: "limits: { bodiesBytes: 1MB, notificationBytes: 900kB }\n" });
  const path = "/sets/maps/change-notification";
  const socket = await rawConnection(hub.port);
  socket.resume().write(requestText(`GET ${path}`, ["Accept: text/event-stream"]));
  socket.write(
    requestText(
      `POST ${path}`,
      [`Authorization: Bearer ${publisherToken}`, "Content-Type: application/xml", "Content-Length: 800000"],
      "<",
    ),
  );
  const large = changeNotification(1, { padding: `<!--${"x".repeat(300_000)}-->` });
  await waitUntil(async () => expect((await hub.publish(large)).status).toBe(503));
  socket.destroy();
  await waitUntil(async () => expect((await hub.publish(large)).status).toBe(202));
});
