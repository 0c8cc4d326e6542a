import type { Channel } from "../channels/channel.ts";
import type { Notification, NotificationLog } from "../log/notification-log.ts";

/** What a topic shows (change notification 1.0.1 §4.1): the most recent notification, or nothing as long as there is none. */
export async function latestNotification(
  log: Pick<NotificationLog, "bounds" | "read">,
  channel: Channel,
): Promise<Notification | undefined> {
  const { newest, oldest } = await log.bounds(channel.id);
  if (newest < oldest) return undefined;
  const [latest] = await log.read(channel.id, newest - 1, 1);
  return latest;
}
