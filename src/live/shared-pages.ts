import type { ChannelId } from "../channels/channel.ts";
import type { NotificationLog } from "../log/notification-log.ts";
import type { Standing } from "./find-start.ts";
import type { LiveFormat } from "./live-format.ts";
import { type LogPage, readPage } from "./log-page.ts";

/** A page of the log, framed for one format. */
interface FramedPage extends LogPage {
  readonly frames: Buffer;
}

interface Wanted {
  readonly channel: ChannelId;
  readonly standing: Standing;
  readonly format: LiveFormat;
  /** Asked when it is the reader's turn. */
  readonly isWanted: () => boolean;
}

/** `undefined` for a reader that is gone. Throws what the log throws. */
export type ReadSharedPage = (wanted: Wanted) => Promise<FramedPage | undefined>;

interface Waiting extends Wanted {
  readonly resolve: (page: FramedPage | undefined) => void;
  readonly reject: (reason: unknown) => void;
}

/** Pages that are read at the same time: two keep a store on the network busy. */
const atOnce = 2;
/** Readers that one page is given to in a turn of the event loop: each writes a page. */
const sharing = 16;

/**
 * Reads pages for all readers that catch up, in turns: one page begins in each turn of the event loop, first come, first
 * served. However many catch up, whoever publishes or reads live waits for a page or two, not for all of them.
 *
 * Readers that come back together, as after a restart, want the same pages: those that wait for the same one share it, and
 * it is read and framed once for them. In one incarnation of the log, a sequence number means one notification.
 */
export function createSharedPages(log: Pick<NotificationLog, "read">): ReadSharedPage {
  /** By place, in the order in which the places have their turn. */
  const waiting = new Map<string, Waiting[]>();
  let underWay = 0;
  let isScheduled = false;

  function beginSoon(): void {
    if (isScheduled || underWay === atOnce || waiting.size === 0) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      void begin();
      beginSoon();
    });
  }

  async function begin(): Promise<void> {
    underWay += 1;
    const readers = takeFirst();
    try {
      const [first] = readers;
      if (first !== undefined)
        give(readers, await readPage(log, first.channel, first.standing.mark.sequence));
    } catch (error) {
      for (const { reject } of readers) reject(error);
    }
    underWay -= 1;
    beginSoon();
  }

  /** Those of them that are still there; the others go on without a page. */
  function takeFirst(): Waiting[] {
    for (const [place, all] of waiting) {
      waiting.delete(place);
      const taken = all.splice(0, sharing);
      if (all.length > 0) waiting.set(place, all);
      for (const { isWanted, resolve } of taken) if (!isWanted()) resolve(undefined);
      return taken.filter(({ isWanted }) => isWanted());
    }
    return [];
  }

  return (wanted) =>
    new Promise((resolve, reject) => {
      const { channel, standing } = wanted;
      const place = `${channel} ${standing.incarnation.newest} ${standing.mark.sequence}`;
      const there = waiting.get(place);
      const reader = { ...wanted, resolve, reject };
      if (there === undefined) waiting.set(place, [reader]);
      else there.push(reader);
      beginSoon();
    });
}

function give(readers: readonly Waiting[], page: LogPage): void {
  const framed = new Map<LiveFormat, FramedPage>();
  for (const { format, resolve } of readers) {
    const known = framed.get(format);
    const own = known ?? { ...page, frames: Buffer.concat(page.notifications.map(format.notification)) };
    framed.set(format, own);
    resolve(own);
  }
}
