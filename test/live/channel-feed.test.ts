import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createChannelFeed } from "../../src/live/channel-feed.ts";
import type { FeedMember } from "../../src/live/feed-members.ts";
import { findStart, type Standing } from "../../src/live/find-start.ts";
import { plainSocket } from "../../src/live/live-format.ts";
import { createEvents } from "../../src/observability/events.ts";
import { silentLogger } from "../../src/observability/logger.ts";
import { createMetrics } from "../../src/observability/metrics.ts";
import { textFrame } from "../../src/protocol/live-frames.ts";
import { openEngine } from "../support/engines.ts";
import { newNotification } from "../support/new-notification.ts";
import { waitUntil } from "../support/wait-until.ts";
import { append, channelOf } from "./live-server.ts";

const channel = channelOf("maps");
const events = createEvents(silentLogger, createMetrics());

interface Member extends FeedMember {
  standing: Standing;
  readonly taken: Buffer[];
  out: number;
}

function memberAt(standing: Standing, isBehind = (): boolean => false): Member {
  const member: Member = {
    format: plainSocket,
    standing,
    taken: [],
    out: 0,
    isBehind,
    take(frames, upTo) {
      member.taken.push(frames);
      member.standing = upTo;
    },
    putOut() {
      member.out += 1;
    },
  };
  return member;
}

test("what is appended in one turn is on disk together, and goes to the readers in one write", async () => {
  await using engine = await openEngine("embedded");
  const feed = createChannelFeed({ channel: channel.id, log: engine.log, events, checkInterval: 60_000 });
  const reader = memberAt(await findStart(engine.log, channel.id, { kind: "latest" }));
  expect(feed.join(reader)).toBe(true);
  engine.log.onAppend(({ newest }) => feed.wake(newest));
  await Promise.all(Array.from({ length: 16 }, () => append(engine.log, channel)));
  await waitUntil(() => expect(reader.standing.mark.sequence).toBe(16));
  expect(reader.taken).toHaveLength(1);
  feed.leave(reader);
});

test("readers of one format get the very same buffer, with all notifications of the turn in it", async () => {
  await using engine = await openEngine("embedded");
  const feed = createChannelFeed({ channel: channel.id, log: engine.log, events, checkInterval: 60_000 });
  const start = await findStart(engine.log, channel.id, { kind: "latest" });
  const [a, b] = [memberAt(start), memberAt(start)];
  expect([feed.join(a), feed.join(b)]).toEqual([true, true]);
  await Promise.all(["<a/>", "<b/>", "<c/>"].map((payload) => append(engine.log, channel, payload)));
  feed.wake(3);
  await waitUntil(() => expect(a.taken).toHaveLength(1));
  expect(a.taken[0]).toEqual(
    Buffer.concat(["<a/>", "<b/>", "<c/>"].map((payload) => textFrame(Buffer.from(payload)))),
  );
  expect(b.taken[0]).toBe(a.taken[0]);
  feed.leave(a);
  feed.leave(b);
});

test("a reader that is further on than the feed is given only the rest; one that is less far must read on", async () => {
  await using engine = await openEngine("embedded");
  const feed = createChannelFeed({ channel: channel.id, log: engine.log, events, checkInterval: 60_000 });
  const empty = await findStart(engine.log, channel.id, { kind: "latest" });
  const first = memberAt(empty);
  feed.join(first);
  for (const payload of ["<a/>", "<b/>"]) await append(engine.log, channel, payload);
  const ahead = memberAt(await findStart(engine.log, channel.id, { kind: "latest" }));
  expect(feed.join(ahead)).toBe(true);
  await append(engine.log, channel, "<c/>");
  feed.wake(3);
  await waitUntil(() => expect(first.standing.mark.sequence).toBe(3));
  expect(Buffer.concat(ahead.taken)).toEqual(textFrame(Buffer.from("<c/>")));
  expect(feed.join(memberAt(empty))).toBe(false);
  feed.leave(first);
  feed.leave(ahead);
});

test("a lost wake-up is made up for", async () => {
  await using engine = await openEngine("embedded");
  const feed = createChannelFeed({ channel: channel.id, log: engine.log, events, checkInterval: 20 });
  const member = memberAt(await findStart(engine.log, channel.id, { kind: "latest" }));
  feed.join(member);
  await append(engine.log, channel, "<a/>");
  await append(engine.log, channel, "<b/>");
  await waitUntil(() => expect(member.standing.mark.sequence).toBe(2));
  feed.leave(member);
});

test("what was appended between a reader's last look at the log and its joining comes without a wake-up", async () => {
  await using engine = await openEngine("embedded");
  const feed = createChannelFeed({ channel: channel.id, log: engine.log, events, checkInterval: 60_000 });
  const member = memberAt(await findStart(engine.log, channel.id, { kind: "latest" }));
  await append(engine.log, channel, "<a/>");
  feed.join(member);
  await waitUntil(() => expect(member.standing.mark.sequence).toBe(1));
  feed.leave(member);
});

test("a reader that is behind is put out at its mark, and the others are written to", async () => {
  await using engine = await openEngine("embedded");
  const feed = createChannelFeed({ channel: channel.id, log: engine.log, events, checkInterval: 60_000 });
  const start = await findStart(engine.log, channel.id, { kind: "latest" });
  const [behind, other] = [memberAt(start, () => true), memberAt(start)];
  feed.join(behind);
  feed.join(other);
  await append(engine.log, channel, "<a/>");
  feed.wake(1);
  await waitUntil(() => expect(other.standing.mark.sequence).toBe(1));
  expect(behind).toMatchObject({ out: 1, taken: [], standing: { mark: { sequence: 0 } } });
  feed.leave(other);
});

test("after a burst whose last publication was a repeat, a pass waits for nothing more", async () => {
  await using engine = await openEngine("embedded");
  const feed = createChannelFeed({ channel: channel.id, log: engine.log, events, checkInterval: 60_000 });
  // So long a pass that the next one waits while more is under way.
  const slow = (): boolean => {
    for (const begun = performance.now(); performance.now() - begun < 50;);
    return false;
  };
  const member = memberAt(await findStart(engine.log, channel.id, { kind: "latest" }), slow);
  feed.join(member);
  engine.log.onAppend(({ newest }) => feed.wake(newest));
  await append(engine.log, channel, "<a/>");
  await waitUntil(() => expect(member.standing.mark.sequence).toBe(1));
  const document = newNotification("<b/>");
  await Promise.all([1, 2].map(() => engine.log.append(channel.id, document)));
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
  expect(feed.gathering()).toBeUndefined();
  await waitUntil(() => expect(member.standing.mark.sequence).toBe(2));
  feed.leave(member);
});
