import { setImmediate as nextTurn } from "node:timers/promises";
import type { ChannelId } from "../channels/channel.ts";
import type { NotificationLog } from "../log/notification-log.ts";
import { findPlace } from "../log/place-in-log.ts";
import { reportFault } from "../log/report-fault.ts";
import type { Events } from "../observability/events.ts";
import { createFeedMembers, type FeedMember, type Sent } from "./feed-members.ts";
import { continuesFrom, incarnationOf, type Standing, standingAfter } from "./find-start.ts";
import { readPage } from "./log-page.ts";
import { mergedRuns } from "./merged-runs.ts";
import { createPassPace } from "./pass-pace.ts";

/** Tells everybody who has caught up on one channel what is appended to it. Each page of the log is read and framed once. */
export interface ChannelFeed {
  /**
   * Takes in a reader that has everything the log held a moment ago; from here on it gets what follows its mark, without
   * gap or repeat. `false` where it cannot stand beside the others: the feed has gone on, or knows another incarnation.
   */
  join(member: FeedMember): boolean;
  leave(member: FeedMember): void;
  /** The log may hold news: a hint, which may come often, late or never. `newest` is its last sequence number, where known. */
  wake(newest?: number): void;
  /** While a pass over the readers waits for more to be appended: resolves when it begins. */
  gathering(): Promise<void> | undefined;
  /** Makes up for lost hints; where the log is no longer the one that was written from, sends everybody to look anew. */
  check(): Promise<void>;
}

interface Parts {
  readonly channel: ChannelId;
  readonly log: Pick<NotificationLog, "read" | "bounds" | "whenQuiet">;
  readonly events: Pick<Events, "framesSent" | "storageUnavailable" | "unexpected">;
  /** Milliseconds between checks while somebody is joined. */
  readonly checkInterval: number;
}

export function createChannelFeed({ channel, log, events, checkInterval }: Parts): ChannelFeed {
  const members = createFeedMembers();
  /** How far the feed has written; `undefined` while nobody is joined. Members stand here or, just joined, further on. */
  let head: Standing | undefined;
  let timer: NodeJS.Timeout | undefined;
  const report = reportFault(events, `live channel ${channel}`);
  const pace = createPassPace({ whenQuiet: (act) => log.whenQuiet(channel, act) });
  const writeSoon = mergedRuns(writeWhatFollows, report);
  const countSent: Sent = (transport, frames) => events.framesSent({ channel, transport, frames });

  async function writeWhatFollows(): Promise<void> {
    await pace.gather();
    while (head !== undefined) {
      const from = head;
      const { notifications, last, isEnd } = await readPage(log, channel, from.mark.sequence);
      // Everybody left while the log was read, and others came: the page may not be theirs.
      if (head !== from) continue;
      if (last === undefined) return;
      if (!continuesFrom(from, notifications)) {
        await check();
        if (head === from) putOut(members.all());
        continue;
      }
      const upTo = standingAfter(from, last);
      const behind = pace.pass(() => members.write(notifications, from.mark, upTo, countSent));
      head = upTo;
      putOut(behind);
      // What is appended from now on comes with a wake-up of its own.
      if (isEnd) return;
      await nextTurn();
    }
  }

  function putOut(leaving: readonly FeedMember[]): void {
    for (const member of leaving) {
      leave(member);
      member.putOut();
    }
  }

  function leave(member: FeedMember): void {
    if (!members.remove(member) || !members.isEmpty()) return;
    head = undefined;
    clearInterval(timer);
  }

  async function check(): Promise<void> {
    const before = head;
    if (before === undefined) return;
    const bounds = await log.bounds(channel);
    if (head !== before) return;
    if (findPlace(bounds, before.mark.position).kind === "gap") return putOut(members.all());
    const incarnation = incarnationOf(bounds);
    if (incarnation.newest !== before.incarnation.newest) {
      // The store was opened again and has kept all that the feed wrote; of what only newcomers have read, nobody knows.
      head = { mark: before.mark, incarnation };
      putOut(members.aheadOf(before.mark));
    }
    wake(bounds.newest);
  }

  function wake(newest?: number): void {
    // A hint that comes late is no news. Should the log have gone back instead, `check` finds that.
    if (head === undefined || (newest !== undefined && newest <= head.mark.sequence)) return;
    writeSoon();
  }

  return {
    join(member) {
      const { mark, incarnation } = member.standing;
      if (head !== undefined) {
        if (incarnation.newest !== head.incarnation.newest || mark.sequence < head.mark.sequence)
          return false;
        members.add(member);
        return true;
      }
      head = member.standing;
      members.add(member);
      timer = setInterval(() => void check().catch(report), checkInterval).unref();
      // Nobody listened between its last page and now.
      wake();
      return true;
    },
    leave,
    wake,
    gathering: pace.gathering,
    check,
  };
}
