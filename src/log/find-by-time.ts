import type { ChannelId } from "../channels/channel.ts";
import type { NotificationLog } from "./notification-log.ts";

/**
 * The last sequence number that was received before `milliseconds` (since 1970); `oldest - 1` where all that is held came
 * later. Times never decrease along the log, so that a few reads find the place.
 */
export async function sequenceBefore(
  log: Pick<NotificationLog, "bounds" | "read">,
  channel: ChannelId,
  milliseconds: number,
): Promise<number> {
  const { oldest, newest } = await log.bounds(channel);
  let before = oldest - 1;
  let end = newest;
  while (before < end) {
    const middle = Math.ceil((before + end) / 2);
    const [notification] = await log.read(channel, middle - 1, 1);
    // What was trimmed meanwhile was older than what is left: the place is further on.
    if (notification === undefined) before = Math.max(middle, (await log.bounds(channel)).oldest - 1);
    else if (notification.receivedAt < milliseconds) before = Math.max(middle, notification.sequence);
    else end = middle - 1;
  }
  return before;
}
