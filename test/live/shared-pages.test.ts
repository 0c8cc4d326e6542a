import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { findStart, type Standing } from "../../src/live/find-start.ts";
import { plainEvents, plainSocket } from "../../src/live/live-format.ts";
import { createSharedPages } from "../../src/live/shared-pages.ts";
import type { NotificationLog } from "../../src/log/notification-log.ts";
import { engineNames, openEngine } from "../support/engines.ts";
import { waitUntil } from "../support/wait-until.ts";
import { append, channelOf } from "./live-server.ts";

const channel = channelOf("maps");

/** The log, and how often it was read. */
function counting(log: NotificationLog) {
  let reads = 0;
  return {
    reads: () => reads,
    read: (...place: Parameters<NotificationLog["read"]>) => {
      reads += 1;
      return log.read(...place);
    },
  };
}

async function standings(log: NotificationLog, count: number): Promise<Standing[]> {
  for (let n = 0; n <= count; n += 1) await append(log, channel);
  const { mark, incarnation } = await findStart(log, channel.id, { kind: "earliest" });
  return Array.from({ length: count }, (_, sequence) => ({ mark: { ...mark, sequence }, incarnation }));
}

const asking = (standing: Standing, format = plainSocket, isWanted = () => true) => ({
  channel: channel.id,
  standing,
  format,
  isWanted,
});

test.each(engineNames)(
  "readers that wait for the same page share it, sixteen at a time: %s",
  async (name) => {
    await using engine = await openEngine(name);
    const [start] = await standings(engine.log, 1);
    const log = counting(engine.log);
    const readPage = createSharedPages(log);
    const pages = await Promise.all(Array.from({ length: 40 }, () => readPage(asking(start!))));
    expect(log.reads()).toBe(3);
    expect(new Set(pages.map((page) => page?.frames)).size).toBe(3);
    expect(pages[0]?.notifications).toHaveLength(2);
  },
);

test("readers of two formats share the page, and each gets the frames of its own", async () => {
  await using engine = await openEngine("embedded");
  const [start] = await standings(engine.log, 1);
  const log = counting(engine.log);
  const readPage = createSharedPages(log);
  const formats = [plainSocket, plainEvents, plainSocket];
  const [a, b, c] = await Promise.all(formats.map((format) => readPage(asking(start!, format))));
  expect(log.reads()).toBe(1);
  expect(b?.frames.toString()).toMatch(/^id: /);
  expect(a?.frames.toString()).not.toMatch(/^id: /);
  expect(c?.frames).toBe(a?.frames);
});

test("each turn of the event loop begins one page at most, first come, first served", async () => {
  await using engine = await openEngine("embedded");
  const places = await standings(engine.log, 10);
  const log = counting(engine.log);
  const readPage = createSharedPages(log);
  const served: number[] = [];
  for (const place of places) void readPage(asking(place)).then(() => served.push(place.mark.sequence));
  let most = 0;
  await waitUntil(async () => {
    for (let turn = 0, before = log.reads(); turn < 20; turn += 1, before = log.reads()) {
      await nextTurn();
      most = Math.max(most, log.reads() - before);
    }
    expect(served).toEqual(places.map(({ mark }) => mark.sequence));
  });
  expect(most).toBe(1);
});

test("a reader that is gone by its turn is given no page, and none is read for it", async () => {
  await using engine = await openEngine("embedded");
  const [start] = await standings(engine.log, 1);
  const log = counting(engine.log);
  const readPage = createSharedPages(log);
  expect(await readPage(asking(start!, plainSocket, () => false))).toBeUndefined();
  expect(log.reads()).toBe(0);
  expect(await readPage(asking(start!))).toBeDefined();
});

test("what the log throws reaches all who waited for that page, and the next ones are read again", async () => {
  await using engine = await openEngine("embedded");
  const [start] = await standings(engine.log, 1);
  let isBroken = true;
  const readPage = createSharedPages({
    read: async (...place) => {
      if (isBroken) throw new Error("away");
      return engine.log.read(...place);
    },
  });
  const pages = [readPage(asking(start!)), readPage(asking(start!))];
  for (const page of pages) await expect(page).rejects.toThrow("away");
  isBroken = false;
  expect((await readPage(asking(start!)))?.notifications).toHaveLength(2);
});
