import { expect, test } from "vitest";
import type { Entry } from "../../src/log/notification-log.ts";
import { openEngine } from "../support/engines.ts";
import { waitUntil } from "../support/wait-until.ts";
import { connectEventReader } from "./event-reader.ts";
import { append, startLiveServer } from "./live-server.ts";

test("an event carries the position as id, the type, and the payload as data", async () => {
  await using engine = await openEngine("embedded");
  await using server = await startLiveServer(engine.log);
  using reader = await connectEventReader(server.url);
  expect(reader.response.headers).toMatchObject({
    "content-type": "text/event-stream",
    "cache-control": "no-cache",
    "x-accel-buffering": "no",
  });
  await waitUntil(() => expect(reader.events).toHaveLength(1));
  expect(reader.text()).toMatch(/^retry: \d+\n\n/);
  const payload = '<?xml version="1.0"?>\n<a>\n  é€😀\n</a>\n';
  const { position } = await append(engine.log, server.channel, payload);
  await waitUntil(() => expect(reader.events).toHaveLength(2));
  expect(reader.events[0]?.event).toBe("caught-up");
  expect(reader.events[1]).toEqual({ id: position, event: "notification", data: payload });
});

test("Last-Event-ID goes before the ?after= that the URL began with", async () => {
  await using engine = await openEngine("embedded");
  await using server = await startLiveServer(engine.log);
  await append(engine.log, server.channel, "<a/>");
  const { position } = await append(engine.log, server.channel, "<b/>");
  await append(engine.log, server.channel, "<c/>");
  using reader = await connectEventReader(`${server.url}?after=earliest`, { "last-event-id": position });
  await waitUntil(() => expect(reader.events.at(-1)?.event).toBe("caught-up"));
  expect(reader.events.map(({ data }) => data).slice(0, -1)).toEqual(["<c/>"]);
});

test("a reader that saw nothing yet has an id to resume at, so that a reconnection misses nothing", async () => {
  await using engine = await openEngine("embedded");
  await using server = await startLiveServer(engine.log);
  const { position } = await append(engine.log, server.channel, "<a/>");
  using reader = await connectEventReader(server.url);
  await waitUntil(() => expect(reader.events).toHaveLength(1));
  expect(reader.events[0]).toMatchObject({ id: position, event: "caught-up" });
  reader[Symbol.dispose]();
  await append(engine.log, server.channel, "<b/>");
  using again = await connectEventReader(server.url, { "last-event-id": position });
  await waitUntil(() => expect(again.events[0]?.data).toBe("<b/>"));
});

test("?format=json gives a payload back exactly, with its line ends", async () => {
  await using engine = await openEngine("embedded");
  await using server = await startLiveServer(engine.log);
  const payload = "<a>\r\n\r</a>\r\n";
  await append(engine.log, server.channel, payload);
  using plain = await connectEventReader(`${server.url}?after=earliest`);
  using json = await connectEventReader(`${server.url}?after=earliest&format=json`);
  await waitUntil(() => expect([plain.events.length, json.events.length]).toEqual([2, 2]));
  expect(plain.events[0]?.data).toBe(payload.replaceAll(/\r\n|\r/g, "\n"));
  expect(JSON.parse(json.events[0]!.data)).toMatchObject({ type: "notification", payload });
});

test("a gap is an event, and a bad Last-Event-ID or a full channel an error before anything is written", async () => {
  await using engine = await openEngine("embedded");
  await using server = await startLiveServer(engine.log, { limits: { readersPerChannel: 1 } });
  const entries: Entry[] = [];
  for (let n = 0; n < 3; n += 1) entries.push(await append(engine.log, server.channel));
  await engine.log.trimBefore(server.channel.id, 3);

  using malformed = await connectEventReader(server.url, { "last-event-id": "17" });
  expect(malformed.response.statusCode).toBe(400);
  using late = await connectEventReader(server.url, { "last-event-id": entries[0]!.position });
  await waitUntil(() => expect(late.events).toHaveLength(3));
  expect(late.events[0]).toMatchObject({ id: entries[1]!.position, event: "gap" });
  using oneTooMany = await connectEventReader(server.url);
  expect(oneTooMany.response.statusCode).toBe(503);
});

test("a shutdown ends the stream after an id to resume at", async () => {
  await using engine = await openEngine("embedded");
  await using server = await startLiveServer(engine.log);
  using reader = await connectEventReader(server.url);
  await waitUntil(() => expect(reader.events).toHaveLength(1));
  const { position } = await append(engine.log, server.channel, "<a/>");
  await waitUntil(() => expect(reader.events).toHaveLength(2));
  await server.live.close(AbortSignal.timeout(2000));
  await reader.ended;
  expect(reader.text()).toMatch(new RegExp(`: resume with \\?after=${position}\nid: ${position}\n\n$`));
});

test("an idle stream gets comments, so that proxies keep it open", async () => {
  await using engine = await openEngine("embedded");
  await using server = await startLiveServer(engine.log, { limits: { pingInterval: 30 } });
  using reader = await connectEventReader(server.url);
  await waitUntil(() => expect(reader.text()).toMatch(/\n\n:\n\n:\n\n/));
  expect(reader.events).toHaveLength(1);
});
