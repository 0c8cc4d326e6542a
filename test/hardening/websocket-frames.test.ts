import { randomBytes } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { watchMemory } from "../../src/live/memory-valve.ts";
import { append, startLiveServer } from "../live/live-server.ts";
import { connectRaw, type RawReader } from "../live/raw-reader.ts";
import { connectReader } from "../live/socket-reader.ts";
import { openEngine } from "../support/engines.ts";
import { rawRequest, statusesOf } from "../support/raw-request.ts";
import { waitUntil } from "../support/wait-until.ts";

/** A frame as a client must send it, masked, unless told otherwise (RFC 6455 §5). */
function frame(firstByte: number, payload: Buffer, { masked = true, length = payload.length } = {}): Buffer {
  const mask = masked ? randomBytes(4) : Buffer.alloc(0);
  const bit = masked ? 0x80 : 0;
  const head =
    length < 126
      ? Buffer.from([firstByte, bit | length])
      : length < 65_536
        ? Buffer.from([firstByte, bit | 126, length >> 8, length & 0xff])
        : Buffer.concat([Buffer.from([firstByte, bit | 127]), bigLength(length)]);
  const body = masked ? payload.map((byte, at) => byte ^ mask[at % 4]!) : payload;
  return Buffer.concat([head, mask, body]);
}

function bigLength(length: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(length));
  return bytes;
}

/** The code with which the hub closed it; 0 where it only cut the connection. */
async function ended(reader: RawReader): Promise<number> {
  if (!reader.socket.destroyed) await new Promise((resolve) => reader.socket.once("close", resolve));
  const close = reader.frames().find(({ firstByte }) => firstByte === 0x88);
  return close === undefined ? 0 : close.payload.readUInt16BE(0);
}

const text = 0x81;
const unfinished = 0x01;
const goesOn = 0x00;
const ping = 0x89;
const pong = 0x8a;

test.each([
  ["a message larger than 4 KB", [frame(text, Buffer.alloc(5000, "a"))], 1009],
  ["a frame that says it has 2^62 bytes", [frame(text, Buffer.alloc(0), { length: 2 ** 62 })], 1009],
  [
    "fragments that are too much together",
    [frame(unfinished, Buffer.alloc(3000)), frame(goesOn, Buffer.alloc(3000))],
    1009,
  ],
  ["a frame that is not masked", [frame(text, Buffer.from("a"), { masked: false })], 1002],
  ["a reserved bit", [frame(text | 0x40, Buffer.from("a"))], 1002],
  ["an opcode that is none", [frame(0x83, Buffer.from("a"))], 1002],
  ["a ping in fragments", [frame(0x09, Buffer.from("a"))], 1002],
  ["a ping of more than 125 bytes", [frame(ping, Buffer.alloc(126))], 1002],
  ["a fragment that goes on with nothing", [frame(goesOn | 0x80, Buffer.from("a"))], 1002],
  ["text that is not UTF-8", [frame(text, Buffer.from([0xff, 0xfe]))], 1007],
  ["a close with a code that is none", [frame(0x88, Buffer.from([0, 1]))], 1002],
])("%s ends the connection with its code, and only that one", async (_what, frames, code) => {
  await using engine = await openEngine("embedded");
  await using server = await startLiveServer(engine.log);
  using other = connectReader(server.socketUrl);
  await other.opened();
  using hostile = await connectRaw(server.socketUrl, []);
  for (const bytes of frames) hostile.socket.write(bytes);
  expect(await ended(hostile)).toBe(code);
  await append(engine.log, server.channel, "<a/>");
  await waitUntil(() => expect(other.payloads()).toEqual(["<a/>"]));
});

test("a message that is small and becomes large when it is unpacked is refused at 4 KB", async () => {
  await using engine = await openEngine("embedded");
  await using server = await startLiveServer(engine.log);
  using hostile = await connectRaw(server.socketUrl, ["Sec-WebSocket-Extensions: permessage-deflate"]);
  expect(hostile.head).toContain("permessage-deflate");
  const bomb = deflateRawSync(Buffer.alloc(2_000_000));
  expect(bomb.length).toBeLessThan(3000);
  hostile.socket.write(frame(text | 0x40, bomb));
  expect(await ended(hostile)).toBe(1009);
});

test.each([
  ["pings", ping, Buffer.alloc(125)],
  ["empty pings", ping, Buffer.alloc(0)],
  ["messages", text, Buffer.from("a")],
])(
  "a flood of %s from a client that does not read is ended, and leaves little in memory",
  async (_what, opcode, payload) => {
    await using engine = await openEngine("embedded");
    await using server = await startLiveServer(engine.log);
    const most = { waiting: 0 };
    server.http.on("connection", (socket) => {
      const look = setInterval(() => (most.waiting = Math.max(most.waiting, socket.writableLength)), 1);
      socket.on("close", () => clearInterval(look));
    });
    using hostile = await connectRaw(server.socketUrl, []);
    hostile.socket.pause();
    const closed = new Promise((resolve) => hostile.socket.once("close", resolve));
    const flood = Buffer.concat(Array.from({ length: 20_000 }, () => frame(opcode, payload)));
    hostile.socket.write(flood);
    await waitUntil(async () =>
      expect((await server.metrics.liveReaders.get()).values).toMatchObject([{ value: 0 }]),
    );
    hostile.socket.resume();
    await closed;
    expect(most.waiting).toBeLessThan(100_000);
  },
);

test.each([
  ["fragments without end and without content", unfinished, goesOn, Buffer.alloc(0)],
  ["pongs that nobody asked for", pong, pong, Buffer.alloc(100)],
])("%s are ended by their bytes", async (_what, first, then, payload) => {
  await using engine = await openEngine("embedded");
  await using server = await startLiveServer(engine.log);
  using hostile = await connectRaw(server.socketUrl, []);
  hostile.socket.write(frame(first, payload));
  const many = Buffer.concat(Array.from({ length: 10_000 }, () => frame(then, payload)));
  for (let sent = 0; sent < 10 && !hostile.socket.destroyed; sent += 1) {
    hostile.socket.write(many);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect([0, 1008]).toContain(await ended(hostile));
  await waitUntil(async () =>
    expect((await server.metrics.liveReaders.get()).values).toMatchObject([{ value: 0 }]),
  );
});

test.each([
  ["without a key", "Sec-WebSocket-Key", undefined],
  ["with a key that is none", "Sec-WebSocket-Key", "short"],
  ["of a version that is none", "Sec-WebSocket-Version", "12"],
])("a handshake %s is refused as HTTP", async (_what, name, value) => {
  await using engine = await openEngine("embedded");
  await using server = await startLiveServer(engine.log);
  const headers: Record<string, string> = {
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": Buffer.alloc(16).toString("base64"),
  };
  if (value === undefined) delete headers[name];
  else headers[name] = value;
  const lines = Object.entries(headers).map(([header, written]) => `${header}: ${written}`);
  const answer = await rawRequest(Number(new URL(server.url).port), [
    ["GET / HTTP/1.1", "Host: hub", ...lines, "", ""].join("\r\n"),
  ]);
  expect([400, 426]).toContain(statusesOf(answer)[0]);
});

test("readers that never read are cut off when buffers take too much, and can resume; those that read stay", async () => {
  await using engine = await openEngine("embedded");
  // One byte is always too much.
  await using server = await startLiveServer(engine.log, { limits: { liveBytes: 1 } });
  using stuck = connectReader(server.socketUrl);
  using reading = connectReader(server.socketUrl);
  await Promise.all([stuck.opened(), reading.opened()]);
  await waitUntil(() => expect(stuck.messages()).toHaveLength(1));
  stuck.socket.pause();
  const count = 150;
  for (let n = 0; n < count; n += 1)
    await append(engine.log, server.channel, `<n${n}>${"x".repeat(100_000)}</n${n}>`);
  await waitUntil(() => expect(reading.payloads()).toHaveLength(count));
  await waitUntil(async () =>
    expect((await server.metrics.liveReaders.get()).values).toMatchObject([{ value: 1 }]),
  );
  expect((await server.metrics.limited.get()).values).toMatchObject([
    { labels: { limit: "live-memory" }, value: 1 },
  ]);
  stuck.socket.resume();
  await stuck.closed;
  const last = stuck.messages().findLast((message) => message.type === "notification")!;
  using again = connectReader(server.socketUrl, last.position);
  await waitUntil(() => expect(stuck.payloads().length + again.payloads().length).toBe(count));
});

test("of readers that take nothing those with the most are cut off first, until enough is free, and no others", () => {
  let memory = 100;
  const cut: number[] = [];
  let tick = 0;
  const reader = (waiting: number, taken: () => number) => ({
    waiting: () => waiting,
    taken,
    destroy: () => void cut.push(waiting),
  });
  const readers = [
    reader(10, () => 7),
    reader(50, () => 7),
    reader(30, () => 7),
    reader(90, () => tick),
    reader(0, () => 7),
  ];
  const told: unknown[] = [];
  const valve = watchMemory({
    readers: () => readers,
    limit: 40,
    events: { readersCutOff: (at) => void told.push(at) },
    memory: () => memory,
  });
  // Nobody is known to be stuck before the second look.
  valve.look();
  expect(cut).toEqual([]);
  tick += 1;
  valve.look();
  expect(cut).toEqual([50, 30]);
  expect(told).toEqual([{ readers: 2, bytes: 80 }]);
  memory = 40;
  tick += 1;
  valve.look();
  expect(cut).toHaveLength(2);
  valve.close();
});
