import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Entry, NotificationLog } from "../../src/log/notification-log.ts";
import { openEngine } from "../support/engines.ts";
import { startRedisServer } from "../support/redis-server.ts";
import { waitUntil } from "../support/wait-until.ts";
import { append, channelOf, startLiveServer } from "./live-server.ts";
import { connectReader } from "./socket-reader.ts";

async function temporaryDirectory() {
  const path = await mkdtemp(join(tmpdir(), "hub-restored-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

async function replace(directory: string, copy: string): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  await cp(copy, directory, { recursive: true });
}

/** As a publisher does that gets a 503 until the store is back. */
async function appendWhenBack(log: NotificationLog, payload: string): Promise<void> {
  await waitUntil(async () => {
    await append(log, channelOf("maps"), payload);
  });
}

test("whoever resumes at an embedded store that was restored from an older copy is told of the gap", async () => {
  await using data = await temporaryDirectory();
  await using backup = await temporaryDirectory();
  const channel = channelOf("maps");
  {
    await using engine = await openEngine("embedded", { directory: data.path });
    for (const payload of ["<a/>", "<b/>"]) await append(engine.log, channel, payload);
  }
  await replace(backup.path, data.path);
  let lost: Entry;
  {
    await using engine = await openEngine("embedded", { directory: data.path });
    await append(engine.log, channel, "<c/>");
    lost = await append(engine.log, channel, "<d/>");
  }
  await replace(data.path, backup.path);

  await using engine = await openEngine("embedded", { directory: data.path });
  await using server = await startLiveServer(engine.log);
  for (const payload of ["<x/>", "<y/>", "<z/>"]) await append(engine.log, channel, payload);
  using reader = connectReader(server.socketUrl, lost.position);
  await waitUntil(() => expect(reader.messages().at(-1)?.type).toBe("caught-up"));
  expect(reader.messages()[0]?.type).toBe("gap");
  expect(reader.payloads().slice(-3)).toEqual(["<x/>", "<y/>", "<z/>"]);
});

test("a reader stays through a restart of its hub's Redis, and misses nothing", async () => {
  await using redis = await startRedisServer();
  await using engine = await openEngine("redis", { redisUrl: redis.url });
  await using server = await startLiveServer(engine.log);
  using reader = connectReader(server.socketUrl);
  await waitUntil(() => expect(reader.messages()).toHaveLength(1));
  await append(engine.log, server.channel, "<a/>");
  await waitUntil(() => expect(reader.payloads()).toEqual(["<a/>"]));
  await redis.kill();
  await redis.start();
  await appendWhenBack(engine.log, "<b/>");
  await appendWhenBack(engine.log, "<c/>");
  await waitUntil(() => expect(reader.payloads()).toEqual(["<a/>", "<b/>", "<c/>"]));
  expect(reader.messages().filter(({ type }) => type === "gap")).toEqual([]);
});

test("readers that are connected when Redis comes back as an older copy of itself are told of the gap", async () => {
  await using redis = await startRedisServer();
  await using backup = await temporaryDirectory();
  await using engine = await openEngine("redis", { redisUrl: redis.url });
  await using server = await startLiveServer(engine.log);
  await append(engine.log, server.channel, "<a/>");
  await replace(backup.path, redis.directory);
  using reader = connectReader(server.socketUrl, "earliest");
  using plain = connectReader(server.socketUrl, "earliest", { protocols: [] });
  for (const payload of ["<b/>", "<c/>", "<d/>"]) await append(engine.log, server.channel, payload);
  await waitUntil(() => expect(reader.payloads()).toHaveLength(4));
  await waitUntil(() => expect(plain.frames).toHaveLength(4));

  await redis.kill();
  await replace(redis.directory, backup.path);
  await redis.start();
  const others = ["<v/>", "<w/>", "<x/>", "<y/>", "<z/>"];
  for (const payload of others) await appendWhenBack(engine.log, payload);

  await waitUntil(() => expect(reader.messages().at(-1)?.type).toBe("caught-up"));
  await waitUntil(() => expect(reader.payloads().slice(4)).toEqual(["<a/>", ...others]));
  expect(reader.messages().filter(({ type }) => type === "gap")).toHaveLength(1);
  expect(await plain.closed).toMatchObject({ code: 4010 });
});
