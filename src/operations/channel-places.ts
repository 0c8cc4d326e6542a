import type { ChannelId } from "../channels/channel.ts";
import type { LogBounds, NotificationLog } from "../log/notification-log.ts";
import { positionAt } from "../log/place-in-log.ts";
import type { Position } from "../protocol/position.ts";

/** How far behind the log somebody is. */
export interface Lag {
  readonly notifications: number;
  /** Age of the oldest that waits, rounded down; 0 where none does. */
  readonly seconds: number;
}

/** Places in a channel's log and what they mean; each is read once and kept for one request. */
export function channelPlaces(
  log: Pick<NotificationLog, "bounds" | "read">,
  channel: ChannelId,
  now: () => number,
) {
  let bounds: Promise<LogBounds> | undefined;
  const times = new Map<number, Promise<number | undefined>>();

  const readBounds = (): Promise<LogBounds> => (bounds ??= log.bounds(channel));
  const readTime = async (sequence: number): Promise<number | undefined> =>
    (await log.read(channel, sequence - 1, 1))[0]?.receivedAt;

  /** When a notification was received; `undefined` where the log does not hold it. */
  async function timeOf(sequence: number): Promise<number | undefined> {
    const reading = times.get(sequence) ?? readTime(sequence);
    times.set(sequence, reading);
    return await reading;
  }

  /** Notifications that wait for whoever stands at `cursor`. */
  async function waiting(cursor: number): Promise<number> {
    const { oldest, newest } = await readBounds();
    return Math.max(0, newest - Math.max(cursor, oldest - 1));
  }

  return {
    bounds: readBounds,
    timeOf,
    waiting,
    position: async (sequence: number): Promise<Position> => positionAt(await readBounds(), sequence),
    async lag(cursor: number): Promise<Lag> {
      const notifications = await waiting(cursor);
      if (notifications === 0) return { notifications, seconds: 0 };
      const { newest } = await readBounds();
      const since = await timeOf(newest - notifications + 1);
      return { notifications, seconds: Math.max(0, Math.floor((now() - (since ?? now())) / 1000)) };
    },
  };
}

export type ChannelPlaces = ReturnType<typeof channelPlaces>;
