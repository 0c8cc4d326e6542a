import { get } from "node:http";
import { describe, expect, test } from "vitest";
import type { Entry } from "../../src/log/notification-log.ts";
import { engineNames, openEngine } from "../support/engines.ts";
import { waitUntil } from "../support/wait-until.ts";
import { append, startLiveServer } from "./live-server.ts";
import { connectReader } from "./socket-reader.ts";

describe.each(engineNames)("a live channel on the %s engine", (name) => {
  test("readers that join while 200 notifications arrive miss none and get none twice", async () => {
    await using engine = await openEngine(name);
    await using server = await startLiveServer(engine.log);
    const { log } = engine;
    const before: Entry[] = [];
    for (let n = 0; n < 60; n += 1) before.push(await append(log, server.channel));

    const appending = Promise.all(Array.from({ length: 200 }, () => append(log, server.channel)));
    const starts = before.filter((_, index) => index % 4 === 0).map(({ sequence }) => sequence);
    const readers = [0, ...starts, 60, 60, 60, 60].map((sequence) => ({
      sequence,
      reader: connectReader(server.socketUrl, sequence === 0 ? "earliest" : before[sequence - 1]!.position),
    }));
    expect(readers).toHaveLength(20);
    await appending;

    for (const { sequence, reader } of readers) {
      await waitUntil(() => expect(reader.payloads()).toHaveLength(260 - sequence));
      const held = await log.read(server.channel.id, sequence, 1000);
      expect(reader.payloads()).toEqual(held.map(({ payload }) => payload.toString()));
      expect(reader.messages().filter(({ type }) => type === "caught-up").length).toBeGreaterThan(0);
      reader[Symbol.dispose]();
    }
  });

  test("each text frame of a plain client is one notification, byte for byte, whatever its size (rule H42)", async () => {
    await using engine = await openEngine(name);
    await using server = await startLiveServer(engine.log);
    using reader = connectReader(server.socketUrl, undefined, { protocols: [] });
    await reader.opened();
    const sizes = [40, 125, 126, 40_000, 65_535, 65_536, 300_000];
    const payloads = sizes.map((size) =>
      Buffer.from("é€😀\r\n\t".repeat(size).slice(0, size)).subarray(0, size),
    );
    const whole = payloads.map((payload) => Buffer.from(payload.toString("utf8")));
    await waitUntil(async () => {
      expect(await server.metrics.liveReaders.get()).toMatchObject({ values: [{ value: 1 }] });
    });
    for (const payload of whole) await append(engine.log, server.channel, payload);
    await waitUntil(() => expect(reader.frames).toHaveLength(sizes.length));
    for (const [index, frame] of reader.frames.entries()) expect(frame.equals(whole[index]!)).toBe(true);
  });

  test("a reader resumes after a position, after a datetime, at the earliest, and live", async () => {
    await using engine = await openEngine(name);
    await using server = await startLiveServer(engine.log);
    const entries: Entry[] = [];
    for (const payload of ["<a/>", "<b/>", "<c/>"]) {
      entries.push(await append(engine.log, server.channel, payload));
      const { receivedAt } = entries.at(-1)!;
      await waitUntil(() => expect(Date.now()).toBeGreaterThan(receivedAt));
    }
    const places = [
      [entries[0]!.position, ["<b/>", "<c/>"]],
      [new Date(entries[1]!.receivedAt).toISOString(), ["<b/>", "<c/>"]],
      [new Date(entries[1]!.receivedAt).toISOString().replace("Z", "+00:00"), ["<b/>", "<c/>"]],
      ["earliest", ["<a/>", "<b/>", "<c/>"]],
      ["latest", []],
      [entries[2]!.position, []],
    ] as const;
    for (const [after, expected] of places) {
      using reader = connectReader(server.socketUrl, after);
      await waitUntil(() => {
        expect(reader.messages().at(-1)).toEqual({ type: "caught-up", position: entries[2]!.position });
      });
      expect(reader.payloads()).toEqual(expected);
    }
  });

  test("a resume before what retention left is told of the gap, and where it goes on", async () => {
    await using engine = await openEngine(name);
    await using server = await startLiveServer(engine.log, {
      changeList: "https://hub.example.org/changelist.xml",
    });
    const entries: Entry[] = [];
    for (let n = 0; n < 10; n += 1) entries.push(await append(engine.log, server.channel));
    await engine.log.trimBefore(server.channel.id, 7);
    const oldest = entries[5]!.position;

    using late = connectReader(server.socketUrl, entries[1]!.position);
    using byTime = connectReader(server.socketUrl, "2001-01-01");
    for (const reader of [late, byTime]) {
      await waitUntil(() => expect(reader.messages().at(-1)?.type).toBe("caught-up"));
      expect(reader.messages()[0]).toEqual({
        type: "gap",
        oldest,
        changeList: "https://hub.example.org/changelist.xml",
      });
      expect(reader.payloads()).toHaveLength(4);
    }

    using plain = connectReader(server.socketUrl, entries[1]!.position, { protocols: [] });
    expect(await plain.closed).toEqual({ code: 4010, reason: expect.stringContaining(`?after=${oldest}`) });
    using again = connectReader(server.socketUrl, oldest, { protocols: [] });
    await waitUntil(() => expect(again.frames).toHaveLength(4));
    using earliest = connectReader(server.socketUrl, "earliest");
    await waitUntil(() => expect(earliest.messages()).toHaveLength(5));
    expect(earliest.messages()[0]?.type).toBe("notification");
  });

  test("a log that was trimmed to nothing tells the gap as well", async () => {
    await using engine = await openEngine(name);
    await using server = await startLiveServer(engine.log);
    const first = await append(engine.log, server.channel);
    const last = await append(engine.log, server.channel);
    await engine.log.trimBefore(server.channel.id, 3);
    using reader = connectReader(server.socketUrl, first.position);
    await waitUntil(() => expect(reader.messages()).toHaveLength(2));
    expect(reader.messages()).toEqual([
      { type: "gap", oldest: last.position },
      { type: "caught-up", position: last.position },
    ]);
  });

  test("a position that this log never gave out is a gap, not a guess", async () => {
    await using engine = await openEngine(name);
    await using server = await startLiveServer(engine.log);
    const { position } = await append(engine.log, server.channel);
    const fromTheFuture = position.replace(/-1$/, "-9");
    for (const after of [fromTheFuture, "otherlog1-1"]) {
      using reader = connectReader(server.socketUrl, after);
      await waitUntil(() => expect(reader.messages().at(-1)?.type).toBe("caught-up"));
      expect(reader.messages()[0]?.type).toBe("gap");
      expect(reader.payloads()).toHaveLength(1);
    }
  });
});

test("a shutdown tells every reader where to resume, and there it misses nothing", async () => {
  await using engine = await openEngine("embedded");
  await using server = await startLiveServer(engine.log);
  const readers = Array.from({ length: 10 }, (_, index) =>
    connectReader(server.socketUrl, "earliest", index % 2 === 0 ? {} : { protocols: [] }),
  );
  const { position } = await append(engine.log, server.channel, "<before/>");
  for (const reader of readers) await waitUntil(() => expect(reader.frames.length).toBeGreaterThan(0));
  await server.live.close(AbortSignal.timeout(2000));
  for (const reader of readers) {
    expect(await reader.closed).toEqual({ code: 1001, reason: `resume with ?after=${position}` });
  }
  await append(engine.log, server.channel, "<meanwhile/>");

  await using later = await startLiveServer(engine.log);
  using resumed = connectReader(later.socketUrl, position);
  await waitUntil(() => expect(resumed.payloads()).toEqual(["<meanwhile/>"]));
});

test("?after= that is no place is refused before the upgrade, with what is allowed", async () => {
  await using engine = await openEngine("embedded");
  await using server = await startLiveServer(engine.log);
  const answer = await new Promise<{ status: number | undefined; type: string | undefined; body: string }>(
    (resolve, reject) => {
      const request = get(`${server.url}?after=yesterday`, {
        headers: {
          Connection: "Upgrade",
          Upgrade: "websocket",
          "Sec-WebSocket-Version": "13",
          "Sec-WebSocket-Key": Buffer.alloc(16).toString("base64"),
        },
      });
      request.on("error", reject).on("response", (response) => {
        let body = "";
        response.on("data", (chunk: Buffer) => (body += chunk.toString()));
        response.on("end", () => {
          resolve({ status: response.statusCode, type: response.headers["content-type"], body });
        });
      });
    },
  );
  expect(answer).toMatchObject({ status: 400, type: "application/problem+json" });
  expect(JSON.parse(answer.body)).toMatchObject({
    status: 400,
    detail: expect.stringMatching(/"yesterday".*position.*datetime.*earliest.*latest/),
  });
});

test("a client that offers only unknown subprotocols is answered without one", async () => {
  await using engine = await openEngine("embedded");
  await using server = await startLiveServer(engine.log);
  const headers = await new Promise<NodeJS.Dict<string | string[]>>((resolve, reject) => {
    const request = get(server.url, {
      headers: {
        Connection: "Upgrade",
        Upgrade: "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": Buffer.alloc(16).toString("base64"),
        "Sec-WebSocket-Protocol": "soap, mqtt",
      },
    });
    request.on("error", reject).on("upgrade", (response, socket) => {
      socket.destroy();
      resolve(response.headers);
    });
  });
  expect(headers["sec-websocket-accept"]).toBeDefined();
  expect(headers["sec-websocket-protocol"]).toBeUndefined();
});

test("a full channel asks the next reader to come back later, and takes it when another has left", async () => {
  await using engine = await openEngine("embedded");
  await using server = await startLiveServer(engine.log, { limits: { readersPerChannel: 1 } });
  using first = connectReader(server.socketUrl);
  await first.opened();
  using second = connectReader(server.socketUrl);
  expect(await second.closed).toMatchObject({ code: 1013 });
  first.socket.close();
  await first.closed;
  using third = connectReader(server.socketUrl);
  await waitUntil(() => expect(third.messages()).toHaveLength(1));
});

test("a reader that does not answer pings is ended, one that does stays", async () => {
  await using engine = await openEngine("embedded");
  await using server = await startLiveServer(engine.log, { limits: { pingInterval: 50 } });
  using alive = connectReader(server.socketUrl);
  using dead = connectReader(server.socketUrl, undefined, { autoPong: false });
  let pings = 0;
  alive.socket.on("ping", () => (pings += 1));
  expect(await dead.closed).toMatchObject({ code: 1006 });
  await waitUntil(() => expect(pings).toBeGreaterThan(4));
  expect(alive.socket.readyState).toBe(alive.socket.OPEN);
});

test("what clients say is passed over; too large a message ends with 1009, too many with 1008 (rule H41)", async () => {
  await using engine = await openEngine("embedded");
  await using server = await startLiveServer(engine.log);
  using polite = connectReader(server.socketUrl);
  using loud = connectReader(server.socketUrl);
  using talkative = connectReader(server.socketUrl);
  for (const reader of [polite, loud, talkative]) await reader.opened();
  polite.socket.send("hello");
  loud.socket.send("x".repeat(5000));
  for (let n = 0; n < 200; n += 1) talkative.socket.send("?");
  expect(await loud.closed).toMatchObject({ code: 1009 });
  expect(await talkative.closed).toMatchObject({ code: 1008 });
  await append(engine.log, server.channel, "<a/>");
  await waitUntil(() => expect(polite.payloads()).toEqual(["<a/>"]));
});

test("what one process publishes to Redis, the readers of another one get", async () => {
  await using one = await openEngine("redis");
  await using other = await one.reopen();
  await using server = await startLiveServer(other.log);
  using reader = connectReader(server.socketUrl);
  await waitUntil(() => expect(reader.messages()).toHaveLength(1));
  for (let n = 0; n < 50; n += 1) await append(one.log, server.channel, `<n${n}/>`);
  await waitUntil(() => expect(reader.payloads()).toHaveLength(50));
  expect(reader.payloads()).toEqual(Array.from({ length: 50 }, (_, n) => `<n${n}/>`));
});
