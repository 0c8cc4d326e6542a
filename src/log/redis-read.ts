import { z } from "zod";
import type { ChannelId } from "../channels/channel.ts";
import { positionOf } from "../protocol/position.ts";
import type { Notification } from "./notification-log.ts";
import type { RedisConnection } from "./redis-connection.ts";
import { checkRow } from "./stored-row.ts";

const buffer = z.instanceof(Buffer);
const text = buffer.transform((bytes) => bytes.toString());
const entry = z.tuple([
  text,
  // Fields and values in the order in which the append script writes them.
  z.tuple([buffer, text, buffer, text, buffer, text, buffer, buffer]),
]);

/** Until the size of a channel's notifications is known, no more of them than this are asked for at once. */
const firstPage = 16;

/** One page of a stream. A stream can be read by number of entries only, so the number is guessed from those before. */
export async function readFromRedis(
  connection: RedisConnection,
  place: { readonly channel: ChannelId; readonly key: string; readonly after: number },
  limit: number,
  maxBytes: number,
): Promise<Notification[]> {
  const page: Notification[] = [];
  let bytes = 0;
  let count = maxBytes === Infinity ? limit : Math.min(limit, firstPage);
  while (count > 0) {
    const from = (page.at(-1)?.sequence ?? place.after) + 1;
    const asked = count;
    const entries = await connection.run((redis) =>
      redis.xrangeBuffer(place.key, `${from}-0`, "+", "COUNT", asked),
    );
    for (const row of entries) {
      const notification = notificationOf(row, place.channel);
      page.push(notification);
      bytes += notification.payload.length;
      if (bytes > maxBytes) return page;
    }
    if (entries.length < asked) return page;
    const meanBytes = Math.max(bytes / page.length, 1);
    count = Math.min(limit - page.length, Math.ceil((maxBytes - bytes) / meanBytes) + 1);
  }
  return page;
}

function notificationOf(row: unknown, channel: ChannelId): Notification {
  const [id, [, epoch, , receivedAt, , contentType, , payload]] = checkRow(
    entry,
    row,
    `notification, ${channel}`,
  );
  const sequence = Number.parseInt(id, 10);
  const position = positionOf({ epoch, sequence });
  return { sequence, position, receivedAt: Number(receivedAt), contentType, payload };
}
