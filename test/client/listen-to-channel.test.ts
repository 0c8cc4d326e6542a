import { createServer } from "node:http";
import { expect, test } from "vitest";
import { ListenRefused } from "../../src/client/live-connection.ts";
import { listenToChannel, type ListenOptions, type ListenState } from "../../src/client/listen-to-channel.ts";
import type { LiveMessage } from "../../src/protocol/live-messages.ts";
import { closeServer, listenOnLoopback } from "../live/listen-on-loopback.ts";
import { append, startLiveServer } from "../live/live-server.ts";
import { openEngine } from "../support/engines.ts";
import { freePort } from "../../bench/harness/free-port.ts";
import { waitUntil } from "../support/wait-until.ts";

/** Listens in the background and keeps what comes. */
function listening(url: string, options: ListenOptions = {}) {
  const stop = new AbortController();
  const messages: LiveMessage[] = [];
  const states: ListenState[] = [];
  const ended = (async () => {
    const onState = (state: ListenState) => states.push(state);
    for await (const message of listenToChannel(url, { ...options, signal: stop.signal, onState }))
      messages.push(message);
  })();
  return {
    messages,
    states,
    payloads: () => messages.flatMap((message) => (message.type === "notification" ? [message.payload] : [])),
    ended,
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await ended;
    },
  };
}

test("it resumes by itself where it was when the hub comes back, without gap or repeat", async () => {
  await using engine = await openEngine("embedded");
  const port = await freePort();
  const first = await startLiveServer(engine.log, { port });
  await using listener = listening(first.url, { after: "earliest" });
  await append(engine.log, first.channel, "<a/>");
  await waitUntil(() => expect(listener.payloads()).toEqual(["<a/>"]));
  await first[Symbol.asyncDispose]();
  await append(engine.log, first.channel, "<b/>");
  await waitUntil(() => expect(listener.states.at(-1)).toMatchObject({ kind: "waiting" }));

  await using second = await startLiveServer(engine.log, { port });
  await append(engine.log, second.channel, "<c/>");
  await waitUntil(() => expect(listener.payloads()).toEqual(["<a/>", "<b/>", "<c/>"]));
  expect(listener.states.filter(({ kind }) => kind === "connected")).toHaveLength(2);
});

test("a connection that breaks before the first notification costs none: caught-up told where to resume", async () => {
  await using engine = await openEngine("embedded");
  const port = await freePort();
  const first = await startLiveServer(engine.log, { port });
  await using listener = listening(first.socketUrl);
  await waitUntil(() => expect(listener.messages).toHaveLength(1));
  await first[Symbol.asyncDispose]();
  await append(engine.log, first.channel, "<missed/>");
  await using _second = await startLiveServer(engine.log, { port });
  await waitUntil(() => expect(listener.payloads()).toEqual(["<missed/>"]));
});

test("a slow caller gets everything, as the connection is paused meanwhile", async () => {
  await using engine = await openEngine("embedded");
  await using server = await startLiveServer(engine.log, { limits: { bufferBytes: 50_000 } });
  const payloads = Array.from({ length: 2000 }, (_, n) => `<n${n}>${"x".repeat(4000)}</n${n}>`);
  await Promise.all(payloads.map((payload) => append(engine.log, server.channel, payload)));
  let next = 0;
  for await (const message of listenToChannel(server.url, { after: "earliest" })) {
    if (message.type !== "notification") break;
    expect(message.payload.startsWith(`<n${next}>`)).toBe(true);
    next += 1;
    if (next % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(next).toBe(2000);
  await waitUntil(async () => {
    expect((await server.metrics.liveReaders.get()).values).toMatchObject([{ value: 0 }]);
  });
});

test("what the hub refuses for good is an error, not an endless attempt", async () => {
  await using engine = await openEngine("embedded");
  await using server = await startLiveServer(engine.log);
  const error: unknown = await listening(server.url, { after: "yesterday" }).ended.catch(
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ListenRefused);
  expect(error).toMatchObject({ mayRetry: false, problem: { status: 400 } });
});

test("a hub that is away is tried again after growing pauses, until the caller stops", async () => {
  await using listener = listening(`http://127.0.0.1:${await freePort()}/`);
  await waitUntil(() =>
    expect(listener.states.filter(({ kind }) => kind === "waiting").length).toBeGreaterThan(1),
  );
  expect(listener.states[1]).toMatchObject({
    kind: "waiting",
    reason: expect.stringContaining("ECONNREFUSED"),
  });
});

test("a server that does not speak the subprotocol is not taken for an empty channel", async () => {
  const server = createServer((_request, response) => response.writeHead(404).end("nothing here"));
  const url = await listenOnLoopback(server);
  await expect(listening(url).ended).rejects.toMatchObject({
    problem: { status: 404, detail: "nothing here" },
  });
  await closeServer(server);
});
