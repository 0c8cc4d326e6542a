import type { ChannelId } from "../channels/channel.ts";
import type { Notification, NotificationLog } from "../log/notification-log.ts";

/** Bounds what one page holds in memory, however long a backlog is. */
const pageLength = 64;
const pageBytes = 4 * 1024 * 1024;
/** A channel's subscriptions mostly stand at the same few places. Whoever waits for its turn comes back to its page here. */
const pagesKept = 8;

interface Page {
  readonly after: number;
  readonly incarnation: string;
  readonly reading: Promise<readonly Notification[]>;
}

/** Reads each page of a channel's log once for all the subscriptions that want it at about the same time. */
export function createLogPages(log: Pick<NotificationLog, "read">) {
  const kept = new Map<ChannelId, readonly Page[]>();

  const forget = (channel: ChannelId, page: Page): void => {
    const others = (kept.get(channel) ?? []).filter((one) => one !== page);
    if (others.length === 0) kept.delete(channel);
    else kept.set(channel, others);
  };

  const read = async (
    channel: ChannelId,
    after: number,
    incarnation: string,
  ): Promise<readonly Notification[]> => {
    const page: Page = { after, incarnation, reading: log.read(channel, after, pageLength, pageBytes) };
    kept.set(channel, [page, ...(kept.get(channel) ?? [])].slice(0, pagesKept));
    try {
      const notifications = await page.reading;
      if (notifications.length === 0) forget(channel, page);
      return notifications;
    } catch (error) {
      forget(channel, page);
      throw error;
    }
  };

  return {
    /** What follows `after` in this incarnation of the log, oldest first; empty where nothing does. */
    async after(channel: ChannelId, after: number, incarnation: string): Promise<readonly Notification[]> {
      for (const page of kept.get(channel) ?? []) {
        if (page.after > after || page.incarnation !== incarnation) continue;
        const notifications = await page.reading;
        if (page.after === after) return notifications;
        const index = notifications.findIndex(({ sequence }) => sequence === after + 1);
        if (index !== -1) return notifications.slice(index);
      }
      return read(channel, after, incarnation);
    },
    /** Lets go of what was read, when nobody delivers any more. */
    clear(): void {
      kept.clear();
    },
  };
}

export type LogPages = ReturnType<typeof createLogPages>;
