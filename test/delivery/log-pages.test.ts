import { expect, test } from "vitest";
import { channelIdOf, parseSetId } from "../../src/channels/channel.ts";
import { createLogPages } from "../../src/delivery/log-pages.ts";
import type { Notification } from "../../src/log/notification-log.ts";
import { positionOf } from "../../src/protocol/position.ts";

const set = parseSetId("maps");
if (set === undefined) throw new Error("maps is a good id");
const channel = channelIdOf(set, "change-notification");

function countingLog(newest: number) {
  const reads: number[] = [];
  const notification = (sequence: number): Notification => ({
    sequence,
    position: positionOf({ epoch: "aaaaaaaa", sequence }),
    receivedAt: 0,
    contentType: "application/xml",
    payload: Buffer.alloc(0),
  });
  return {
    reads,
    grow: (to: number) => (newest = to),
    read: async (_channel: unknown, after: number, limit: number) => {
      reads.push(after);
      const length = Math.max(0, Math.min(limit, newest - after));
      return Array.from({ length }, (_, index) => notification(after + 1 + index));
    },
  };
}

test("a thousand subscriptions at the same place read the log once", async () => {
  const log = countingLog(10);
  const pages = createLogPages(log);
  const all = await Promise.all(Array.from({ length: 1000 }, () => pages.after(channel, 4, "first")));
  expect(all.every((page) => page[0]?.sequence === 5 && page.length === 6)).toBe(true);
  expect(log.reads).toEqual([4]);
});

test("who stands inside a page gets the rest of it without another read", async () => {
  const log = countingLog(10);
  const pages = createLogPages(log);
  await pages.after(channel, 0, "first");
  expect((await pages.after(channel, 7, "first")).map(({ sequence }) => sequence)).toEqual([8, 9, 10]);
  expect(log.reads).toEqual([0]);
});

test("an empty page is not remembered: what is appended after it is seen", async () => {
  const log = countingLog(3);
  const pages = createLogPages(log);
  expect(await pages.after(channel, 3, "first")).toEqual([]);
  log.grow(4);
  expect((await pages.after(channel, 3, "first")).map(({ sequence }) => sequence)).toEqual([4]);
});

test("after the end of a remembered page the log is read again", async () => {
  const log = countingLog(3);
  const pages = createLogPages(log);
  await pages.after(channel, 0, "first");
  log.grow(5);
  expect((await pages.after(channel, 3, "first")).map(({ sequence }) => sequence)).toEqual([4, 5]);
});

test("what was read in another incarnation of the log is not given out: the log may hold something else there now", async () => {
  const log = countingLog(3);
  const pages = createLogPages(log);
  await pages.after(channel, 0, "first");
  await pages.after(channel, 0, "second");
  await pages.after(channel, 1, "second");
  expect(log.reads).toEqual([0, 0]);
});
