import { constants, inflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { engineNames, openEngine } from "../support/engines.ts";
import { waitUntil } from "../support/wait-until.ts";
import { append, type LiveServer, startLiveServer } from "./live-server.ts";
import { connectRaw } from "./raw-reader.ts";
import { connectReader } from "./socket-reader.ts";

const offer = "Sec-WebSocket-Extensions: permessage-deflate";
const large = (n: number): Buffer =>
  Buffer.from(`<urlset n="${n}">${"<url>ü€😀</url>\r\n".repeat(5000)}</urlset>`);

const inflated = (payload: Buffer): Buffer =>
  inflateRawSync(Buffer.concat([payload, Buffer.from([0, 0, 0xff, 0xff])]), {
    finishFlush: constants.Z_SYNC_FLUSH,
  });

async function untilJoined(server: LiveServer, readers: number): Promise<void> {
  await waitUntil(async () => {
    expect(await server.metrics.liveReaders.get()).toMatchObject({ values: [{ value: readers }] });
  });
}

test.each(engineNames)(
  "a client that offers permessage-deflate gets byte for byte what was published: %s",
  async (name) => {
    await using engine = await openEngine(name);
    await using server = await startLiveServer(engine.log);
    const payloads = [large(1), Buffer.from("<small/>"), large(2), large(3)];
    for (const payload of payloads.slice(0, 2)) await append(engine.log, server.channel, payload);
    using reader = connectReader(server.socketUrl, "earliest", { protocols: [], perMessageDeflate: true });
    await reader.opened();
    expect(reader.socket.extensions).toBe("permessage-deflate");
    // Two from the log, two live.
    await waitUntil(() => expect(reader.frames).toHaveLength(2));
    for (const payload of payloads.slice(2)) await append(engine.log, server.channel, payload);
    await waitUntil(() => expect(reader.frames).toHaveLength(4));
    for (const [index, frame] of reader.frames.entries()) expect(frame.equals(payloads[index]!)).toBe(true);
  },
);

test("each message is compressed by itself and marked with RSV1, small ones go as they are, and all readers get the same bytes", async () => {
  await using engine = await openEngine("embedded");
  await using server = await startLiveServer(engine.log);
  using one = await connectRaw(server.socketUrl, [offer]);
  using other = await connectRaw(server.socketUrl, [`${offer}; server_max_window_bits=12`]);
  using plain = await connectRaw(server.socketUrl, []);
  expect(one.head).toContain(`${offer}; server_no_context_takeover; client_no_context_takeover\r\n`);
  expect(other.head).toContain("server_max_window_bits=12");
  expect(plain.head).not.toContain("Extensions");
  await untilJoined(server, 3);
  const payloads = [large(1), Buffer.from("<small/>"), large(2)];
  for (const payload of payloads) await append(engine.log, server.channel, payload);
  await waitUntil(() =>
    expect([one, other, plain].map((reader) => reader.frames().length)).toEqual([3, 3, 3]),
  );

  const [first, small, second] = one.frames();
  expect([first, small, second].map((frame) => frame?.firstByte)).toEqual([0xc1, 0x81, 0xc1]);
  expect(first!.payload.length).toBeLessThan(payloads[0]!.length / 10);
  // Inflated on its own, so nothing that was said before is needed.
  expect(inflated(second!.payload).equals(payloads[2]!)).toBe(true);
  expect(inflated(first!.payload).equals(payloads[0]!)).toBe(true);
  expect(small!.payload.toString()).toBe("<small/>");
  expect(other.frames()).toEqual(one.frames());
  expect(plain.frames()).toEqual(payloads.map((payload) => ({ firstByte: 0x81, payload })));
});

test("readers of JSON, clients whose offer cannot be met, and all clients where it is switched off, are served uncompressed", async () => {
  await using engine = await openEngine("embedded");
  await using server = await startLiveServer(engine.log);
  await using without = await startLiveServer(engine.log, { deflate: false });
  const payload = large(1);
  await append(engine.log, server.channel, payload);
  using json = connectReader(server.socketUrl, "earliest", { perMessageDeflate: true });
  await json.opened();
  expect(json.socket.extensions).toBe("");
  await waitUntil(() => expect(json.payloads()).toEqual([payload.toString()]));

  for (const [url, line] of [
    [server.socketUrl, `${offer}; server_max_window_bits=8`],
    [server.socketUrl, `${offer}; unheard_of=1`],
    [server.socketUrl, 'Sec-WebSocket-Extensions: ;;="no header'],
    [without.socketUrl, offer],
  ] as const) {
    using reader = await connectRaw(`${url}?after=earliest`, [line]);
    expect(reader.head).toMatch(/^HTTP\/1.1 101 /);
    expect(reader.head).not.toContain("Extensions");
    await waitUntil(() => expect(reader.frames()).toEqual([{ firstByte: 0x81, payload }]));
  }
});

test("compressed messages of a client are passed over; many, or one that inflates beyond 4 KB, end it", async () => {
  await using engine = await openEngine("embedded");
  await using server = await startLiveServer(engine.log);
  const options = { protocols: [], perMessageDeflate: { threshold: 0 } };
  using talkative = connectReader(server.socketUrl, undefined, options);
  using bomb = connectReader(server.socketUrl, undefined, options);
  await Promise.all([talkative.opened(), bomb.opened()]);
  await untilJoined(server, 2);
  for (let n = 0; n < 99; n += 1) talkative.socket.send("hello hello hello");
  await append(engine.log, server.channel, "<a/>");
  await waitUntil(() => expect(talkative.frames.map(String)).toEqual(["<a/>"]));
  talkative.socket.send("one too many");
  expect(await talkative.closed).toMatchObject({ code: 1008 });
  bomb.socket.send(Buffer.alloc(1_000_000));
  expect(await bomb.closed).toMatchObject({ code: 1009 });
});

test("pings, and the close frame with the place to resume, are never compressed", async () => {
  await using engine = await openEngine("embedded");
  const server = await startLiveServer(engine.log, { limits: { pingInterval: 20 } });
  using reader = await connectRaw(server.socketUrl, [offer]);
  await untilJoined(server, 1);
  const { position } = await append(engine.log, server.channel, large(1));
  await waitUntil(() => expect(reader.frames().map(({ firstByte }) => firstByte)).toContain(0x89));
  await waitUntil(() => expect(reader.frames().map(({ firstByte }) => firstByte)).toContain(0xc1));
  await server[Symbol.asyncDispose]();
  const last = reader.frames().at(-1)!;
  expect(last.firstByte).toBe(0x88);
  expect(last.payload.readUInt16BE(0)).toBe(1001);
  expect(last.payload.toString("utf8", 2)).toBe(`resume with ?after=${position}`);
});
