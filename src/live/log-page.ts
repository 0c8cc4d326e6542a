import type { ChannelId } from "../channels/channel.ts";
import type { Notification, NotificationLog } from "../log/notification-log.ts";

/** One page is written to a reader at a time: at most so much, and one notification more. */
const limits = { notifications: 256, bytes: 128 * 1024 };

export interface LogPage {
  readonly notifications: readonly Notification[];
  /** `undefined` where nothing follows. */
  readonly last: Notification | undefined;
  /** Whether the log held no more when it was read. */
  readonly isEnd: boolean;
}

/** What follows the sequence number `after`. */
export async function readPage(
  log: Pick<NotificationLog, "read">,
  channel: ChannelId,
  after: number,
): Promise<LogPage> {
  const notifications = await log.read(channel, after, limits.notifications, limits.bytes);
  const bytes = notifications.reduce((sum, { payload }) => sum + payload.length, 0);
  return {
    notifications,
    last: notifications.at(-1),
    isEnd: notifications.length < limits.notifications && bytes < limits.bytes,
  };
}
