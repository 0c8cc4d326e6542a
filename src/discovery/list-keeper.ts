import { setImmediate as nextTurn } from "node:timers/promises";
import type { LogBounds, Notification, NotificationLog } from "../log/notification-log.ts";
import { findPlace } from "../log/place-in-log.ts";
import type { Events } from "../observability/events.ts";
import type { ClosedLists, ListsOfChannel, OpenList } from "./closed-lists.ts";
import { addTo, beginList, type GrowingList, isOver, type ListBounds } from "./growing-list.ts";
import { createOpenLists, type OpenListParts } from "./open-lists.ts";

export interface KeeperParts extends OpenListParts {
  readonly log: Pick<NotificationLog, "bounds" | "read">;
  readonly lists: ClosedLists;
  readonly bounds: ListBounds;
  readonly events: Pick<Events, "changeListClosed" | "changeListGap" | "changesUnreadable">;
}

interface OpenedLists {
  readonly state: ListsOfChannel;
  readonly open: GrowingList;
}

export interface ListKeeper {
  /** Reads what is new in the log, closing lists as they become full or old; answers the open list. */
  refresh(): Promise<OpenedLists>;
  /** Closes lists until none that is open holds a notification up to `sequence`: the log may let go of those then. */
  closeThrough(sequence: number): Promise<void>;
}

const pageLength = 50;
const pageBytes = 1_000_000;

/**
 * Grows the open Change List of one channel. Every process has its own copy, read from the same place in the same log, so all
 * have the same bytes; where a list ends is settled in the store, by the first process that closes it.
 */
export function createListKeeper(parts: KeeperParts): ListKeeper {
  const { channel, log, lists, bounds, events, now } = parts;
  const { openFirst, passOver, close } = createOpenLists(parts);
  let growing: GrowingList | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const tellUnreadable = ({ position }: Notification): void =>
    events.changesUnreadable({ channel, position });

  /** One step at a time: two requests at once read the log once. */
  function alone<Result>(step: () => Promise<Result>): Promise<Result> {
    const result = last.then(step, step);
    last = result.catch(() => {});
    return result;
  }

  /** `anew`: a list was closed, or the log is not what it was; it is to be looked at again. */
  async function readPage(list: GrowingList): Promise<"read" | "anew"> {
    // A long log is read while others want a turn of the event loop too: the embedded engine answers within one.
    await nextTurn();
    const page = await log.read(channel, list.lastSequence, pageLength, pageBytes);
    if (page.length === 0) return "anew";
    for (const notification of page) {
      if (notification.sequence !== list.lastSequence + 1) return "anew";
      if (addTo(list, notification, bounds, tellUnreadable)) continue;
      await close(list);
      return "anew";
    }
    return "read";
  }

  /** `undefined` where something changed and it is to be looked at again. */
  async function step(): Promise<OpenedLists | undefined> {
    const [state, held] = [await lists.state(channel), await log.bounds(channel)];
    if (state === undefined) {
      await openFirst(held);
      return undefined;
    }
    const { open } = state;
    const list = isGood(growing, open, held) ? growing : beginList(open);
    growing = list;
    if (held.oldest > open.firstSequence || open.firstSequence > held.newest + 1) {
      await (list.lastSequence < open.firstSequence ? passOver(open, held) : close(list));
      return undefined;
    }
    while (list.lastSequence < held.newest) {
      if ((await readPage(list)) === "anew") return undefined;
    }
    if (!isOver(list, bounds, now())) return { state, open: list };
    await close(list);
    return undefined;
  }

  async function refresh(): Promise<OpenedLists> {
    for (;;) {
      const opened = await step();
      if (opened !== undefined) return opened;
    }
  }

  return {
    refresh: () => alone(refresh),
    closeThrough: (sequence) =>
      alone(async () => {
        for (;;) {
          const { open } = await refresh();
          if (open.lastSequence < open.open.firstSequence || open.open.firstSequence > sequence) return;
          await close(open);
        }
      }),
  };
}

/** Whether the list is the one that is open, and was read from the log as it is now: a store can come back older than it was. */
function isGood(list: GrowingList | undefined, open: OpenList, held: LogBounds): list is GrowingList {
  if (list === undefined) return false;
  if (list.open.firstSequence !== open.firstSequence || list.open.from !== open.from) return false;
  const wasTrimmed = held.oldest > open.firstSequence;
  return wasTrimmed || list.position === undefined || findPlace(held, list.position).kind === "held";
}
