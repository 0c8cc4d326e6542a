import type { ChannelId } from "../channels/channel.ts";
import { sequenceBefore } from "./find-by-time.ts";
import type { NotificationLog } from "./notification-log.ts";

export interface Retention {
  readonly keepMilliseconds: number;
  readonly maxNotifications: number;
}

/**
 * Lets go of what is too old, and of what is too much; answers how many. `now` in milliseconds since 1970. `beforeTrim` is
 * called first with the last sequence number that goes; where it throws, everything stays.
 */
export async function trimByRetention(
  log: NotificationLog,
  channel: ChannelId,
  { keepMilliseconds, maxNotifications }: Retention,
  now: number,
  beforeTrim: (channel: ChannelId, sequence: number) => Promise<void> = async () => {},
): Promise<number> {
  const { oldest, newest } = await log.bounds(channel);
  const tooMuch = newest - maxNotifications;
  const tooOld = await sequenceBefore(log, channel, now - keepMilliseconds);
  const last = Math.max(tooMuch, tooOld);
  if (last < oldest) return 0;
  await beforeTrim(channel, last);
  return await log.trimBefore(channel, last + 1);
}
