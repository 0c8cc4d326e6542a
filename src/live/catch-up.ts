import type { Channel } from "../channels/channel.ts";
import type { NotificationLog } from "../log/notification-log.ts";
import type { Events } from "../observability/events.ts";
import { type After, describeAfter } from "./after.ts";
import type { ChannelFeed } from "./channel-feed.ts";
import { closings } from "./close-codes.ts";
import type { FeedMember } from "./feed-members.ts";
import { continuesFrom, findStart, type Standing, standingAfter, type Start } from "./find-start.ts";
import type { LiveFormat, LiveNotice } from "./live-format.ts";
import type { Outlet } from "./outlet.ts";
import type { ReadSharedPage } from "./shared-pages.ts";
import { whenReachable } from "./storage-patience.ts";

export interface CatchUpParts {
  readonly channel: Channel;
  readonly format: LiveFormat;
  readonly outlet: Outlet;
  readonly feed: ChannelFeed;
  readonly log: Pick<NotificationLog, "bounds" | "read">;
  readonly readPage: ReadSharedPage;
  readonly events: Pick<Events, "framesSent" | "gapTold">;
  /** Where to read what the log no longer holds. */
  readonly changeList: string | undefined;
  readonly now: () => number;
}

/** Only the reader itself moves its standing. */
export interface Member extends FeedMember {
  standing: Standing;
}

/**
 * Writes what the log holds after the member's mark, at the reader's pace, until it is joined to the feed or gone.
 * `wasAtEnd`: whether the mark was the end of the log when that was last looked at.
 */
export async function catchUp(parts: CatchUpParts, member: Member, wasAtEnd: boolean): Promise<void> {
  const { channel, format, outlet, feed, readPage, events } = parts;
  let isAtEnd = wasAtEnd;
  for (;;) {
    if (isAtEnd && !member.isBehind()) {
      if (feed.join(member)) {
        tell(parts, { type: "caught-up", position: member.standing.mark.position });
        return;
      }
      // The feed has gone on meanwhile, or it has not noticed yet that the log came back as another one.
      await patiently(parts, () => feed.check());
    }
    await outlet.drained();
    const { standing } = member;
    const asked = { channel: channel.id, standing, format, isWanted: outlet.isOpen };
    const page = await patiently(parts, () => readPage(asked));
    if (page === undefined || !outlet.isOpen()) return;
    const { notifications, last, isEnd, frames } = page;
    if (last === undefined || !continuesFrom(standing, notifications)) {
      // Nothing follows because there is nothing, or because it was let go of while the reader took its time.
      const start = await lookAnew(parts, member);
      if (start === undefined) return;
      isAtEnd = start.isAtEnd;
      continue;
    }
    member.take(frames, standingAfter(standing, last));
    events.framesSent({ channel: channel.id, transport: format.transport, frames: notifications.length });
    isAtEnd = isEnd;
  }
}

/** Checks the member's mark against the log as it is now; `undefined` where the reader is gone. */
export async function lookAnew(parts: CatchUpParts, member: Member): Promise<Start | undefined> {
  const start = await beginAt(parts, { kind: "position", position: member.standing.mark.position });
  if (start !== undefined) member.standing = start;
  return start;
}

/** Where a reader goes on that has everything up to `after`. It is told of a gap; `undefined` where it is gone. */
export async function beginAt(parts: CatchUpParts, after: After): Promise<Start | undefined> {
  const { channel, format, outlet, log, events, changeList } = parts;
  const start = await patiently(parts, () => findStart(log, channel.id, after));
  if (!outlet.isOpen()) return undefined;
  if (!start.isAfterGap) return start;
  const oldest = start.mark.position;
  events.gapTold({ channel: channel.id, transport: format.transport, after: describeAfter(after), oldest });
  if (format.notice === undefined) {
    outlet.end(closings.gap(oldest, changeList));
    return undefined;
  }
  tell(parts, { type: "gap", oldest, ...(changeList === undefined ? {} : { changeList }) });
  return start;
}

function tell({ format, outlet }: CatchUpParts, notice: LiveNotice): void {
  if (format.notice !== undefined && outlet.isOpen()) outlet.write(format.notice(notice));
}

function patiently<Result>({ outlet, now }: CatchUpParts, read: () => Promise<Result>): Promise<Result> {
  return whenReachable(read, { isWanted: outlet.isOpen, now });
}
