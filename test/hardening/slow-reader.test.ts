import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { append, startLiveServer } from "../live/live-server.ts";
import { connectEventReader } from "../live/event-reader.ts";
import { connectReader } from "../live/socket-reader.ts";
import { openEngine } from "../support/engines.ts";
import { waitUntil } from "../support/wait-until.ts";

const count = 300;
const payloadOf = (n: number): string => `<n${n}>${"x".repeat(64 * 1024)}</n${n}>`;
const expected = Array.from({ length: count }, (_, n) => `<n${n}>`);
const names = (payloads: readonly string[]): string[] =>
  payloads.map((payload) => /^<n\d+>/.exec(payload)![0]);

test("a reader that takes nothing holds up nobody, costs bounded memory, and gets everything once it reads", async () => {
  await using engine = await openEngine("embedded");
  const bufferBytes = 100_000;
  await using server = await startLiveServer(engine.log, { limits: { bufferBytes } });
  const sockets: Socket[] = [];
  server.http.on("connection", (socket) => sockets.push(socket));

  using slow = connectReader(server.socketUrl);
  await waitUntil(() => expect(slow.messages()).toHaveLength(1));
  slow.socket.pause();
  using slowPlain = connectReader(server.socketUrl, "earliest", { protocols: [] });
  await slowPlain.opened();
  slowPlain.socket.pause();
  using fast = connectReader(server.socketUrl);
  await waitUntil(() => expect(fast.messages()).toHaveLength(1));

  let mostWaiting = 0;
  for (let n = 0; n < count; n += 1) {
    await append(engine.log, server.channel, payloadOf(n));
    mostWaiting = Math.max(mostWaiting, ...sockets.map(({ writableLength }) => writableLength));
  }
  await waitUntil(() => expect(fast.payloads()).toHaveLength(count));
  expect(names(fast.payloads())).toEqual(expected);
  expect(slow.payloads().length).toBeLessThan(count);
  // What it was allowed, one page of the log, and one notification.
  expect(mostWaiting).toBeGreaterThan(bufferBytes);
  expect(mostWaiting).toBeLessThan(bufferBytes + 256 * 1024 + 2 * 66_000);

  slow.socket.resume();
  slowPlain.socket.resume();
  await waitUntil(() => expect(slow.payloads()).toHaveLength(count));
  expect(names(slow.payloads())).toEqual(expected);
  await waitUntil(() => expect(slowPlain.frames).toHaveLength(count));
  expect(names(slowPlain.frames.map(String))).toEqual(expected);

  await append(engine.log, server.channel, "<n999>");
  for (const reader of [slow, fast]) await waitUntil(() => expect(reader.payloads().at(-1)).toBe("<n999>"));
});

test("a slow event stream is paced in the same way", async () => {
  await using engine = await openEngine("embedded");
  await using server = await startLiveServer(engine.log, { limits: { bufferBytes: 100_000 } });
  using slow = await connectEventReader(server.url);
  await waitUntil(() => expect(slow.events).toHaveLength(1));
  slow.response.pause();
  for (let n = 0; n < count; n += 1) await append(engine.log, server.channel, payloadOf(n));
  slow.response.resume();
  const notifications = () => slow.events.filter(({ event }) => event === "notification");
  await waitUntil(() => expect(notifications()).toHaveLength(count));
  expect(names(notifications().map(({ data }) => data))).toEqual(expected);
});

test("a slow reader is not taken for dead while it takes something, and is ended when it takes nothing", async () => {
  await using engine = await openEngine("embedded");
  await using server = await startLiveServer(engine.log, {
    limits: { bufferBytes: 100_000, pingInterval: 100 },
  });
  using stuck = connectReader(server.socketUrl);
  using sipping = connectReader(server.socketUrl);
  for (const reader of [stuck, sipping]) await waitUntil(() => expect(reader.messages()).toHaveLength(1));
  stuck.socket.pause();
  sipping.socket.pause();
  const sip = setInterval(() => {
    sipping.socket.resume();
    setImmediate(() => sipping.socket.pause());
  }, 10);
  try {
    for (let n = 0; n < count; n += 1) await append(engine.log, server.channel, payloadOf(n));
    await waitUntil(async () => {
      expect((await server.metrics.liveReaders.get()).values).toMatchObject([{ value: 1 }]);
    });
    await waitUntil(() => expect(sipping.payloads()).toHaveLength(count), 20);
    expect(names(sipping.payloads())).toEqual(expected);
  } finally {
    clearInterval(sip);
  }
});

test("retention that overtakes a slow reader is told to it as a gap, with nothing lost in silence", async () => {
  await using engine = await openEngine("embedded");
  await using server = await startLiveServer(engine.log, { limits: { bufferBytes: 100_000 } });
  using slow = connectReader(server.socketUrl);
  using plain = connectReader(server.socketUrl, undefined, { protocols: [] });
  await waitUntil(() => expect(slow.messages()).toHaveLength(1));
  await plain.opened();
  slow.socket.pause();
  plain.socket.pause();
  for (let n = 0; n < count; n += 1) await append(engine.log, server.channel, payloadOf(n));
  await engine.log.trimBefore(server.channel.id, count - 9);
  slow.socket.resume();
  plain.socket.resume();

  await waitUntil(() => expect(slow.payloads().at(-1)).toBe(payloadOf(count - 1)));
  const gapAt = slow.messages().findIndex(({ type }) => type === "gap");
  const before = names(
    slow
      .messages()
      .slice(0, gapAt)
      .flatMap((message) => (message.type === "notification" ? [message.payload] : [])),
  );
  expect(gapAt).toBeGreaterThan(0);
  expect(before).toEqual(expected.slice(0, before.length));
  expect(names(slow.payloads())).toEqual([...before, ...expected.slice(-10)]);
  expect(await plain.closed).toMatchObject({ code: 4010 });
});
