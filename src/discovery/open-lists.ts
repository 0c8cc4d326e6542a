import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { ChannelId } from "../channels/channel.ts";
import type { LogBounds, NotificationLog } from "../log/notification-log.ts";
import type { Events } from "../observability/events.ts";
import { formatInstant, type Instant, instantAt } from "../protocol/instant.ts";
import type { ChangeListUrls } from "./change-list-urls.ts";
import type { ClosedDocument, ClosedLists, OpenList } from "./closed-lists.ts";
import { endOf, type GrowingList } from "./growing-list.ts";
import { writeChangeList } from "./list-documents.ts";

export interface OpenListParts {
  readonly channel: ChannelId;
  readonly urls: ChangeListUrls;
  readonly log: Pick<NotificationLog, "read">;
  readonly lists: Pick<ClosedLists, "open">;
  readonly events: Pick<Events, "changeListClosed" | "changeListGap">;
  readonly now: () => number;
}

const compress = promisify(gzip);

export const digestOf = (body: Buffer): string => createHash("sha256").update(body).digest("base64url");

/**
 * The three ways in which another list becomes the open one. Each is settled in the store: where another process was faster,
 * nothing happens.
 */
export function createOpenLists({ channel, urls, log, lists, events, now }: OpenListParts) {
  /** When the notification after `sequence` was received; now, where there is none. */
  async function receivedAfter(sequence: number): Promise<number> {
    const [notification] = await log.read(channel, sequence, 1);
    return notification?.receivedAt ?? now();
  }

  return {
    /** The first list of a channel. */
    openFirst: async ({ oldest }: LogBounds): Promise<void> => {
      const from = instantAt(await receivedAfter(oldest - 1));
      const mayBeginEarlier = oldest === 1;
      await lists.open(
        channel,
        { n: 1, firstSequence: oldest, from, mayBeginEarlier, openedAt: now() },
        undefined,
      );
    },

    /** The log no longer has what the list begins with. What follows goes into a list that does not claim to have it. */
    passOver: async (open: OpenList, { oldest }: LogBounds): Promise<void> => {
      const received = instantAt(await receivedAfter(oldest - 1));
      const from: Instant = received > open.from ? received : open.from;
      const next = { n: open.n, firstSequence: oldest, from, mayBeginEarlier: false, openedAt: now() };
      if (!(await lists.open(channel, next, open))) return;
      const missing = Math.max(0, oldest - open.firstSequence);
      events.changeListGap({ channel, n: open.n, from: formatInstant(from), missing });
    },

    /** Closes the list and opens the next one; a list of empty notifications only goes on without them. */
    close: async (list: GrowingList): Promise<void> => {
      const { open, lastSequence, entries } = list;
      const firstSequence = lastSequence + 1;
      if (entries === 0) {
        await lists.open(channel, { ...open, firstSequence, from: list.from, mayBeginEarlier: false }, open);
        return;
      }
      const until = endOf(list);
      const closed = await closedDocument(urls, list, until, now());
      const { n } = open;
      const openedAt = closed.list.closedAt;
      const next = { n: n + 1, firstSequence, from: until, mayBeginEarlier: false, openedAt };
      if (!(await lists.open(channel, next, open, closed))) return;
      events.changeListClosed({ channel, n, entries, until: formatInstant(until) });
    },
  };
}

async function closedDocument(
  urls: ChangeListUrls,
  list: GrowingList,
  until: Instant,
  closedAt: number,
): Promise<ClosedDocument> {
  const body = Buffer.from(writeChangeList(urls, list, until));
  const { open, lastSequence, from, entries } = list;
  const { n, firstSequence } = open;
  const { length: bytes } = body;
  return {
    list: { n, firstSequence, lastSequence, from, until, entries, bytes, digest: digestOf(body), closedAt },
    gzipped: await compress(body),
  };
}
