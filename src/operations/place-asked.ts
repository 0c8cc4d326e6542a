import type { ChannelId } from "../channels/channel.ts";
import { sequenceBefore } from "../log/find-by-time.ts";
import type { NotificationLog } from "../log/notification-log.ts";
import { findPlace } from "../log/place-in-log.ts";
import { millisecondsOf, parseInstant } from "../protocol/instant.ts";
import { parsePosition } from "../protocol/position.ts";
import { OperationRefused } from "./operation-refused.ts";
import type { SubscriptionRow } from "./subscription-row.ts";

export interface Place {
  /** What follows it is sent. */
  readonly cursor: number;
  /** Whether something that was asked for may have left the log. */
  readonly gap: boolean;
}

type Log = Pick<NotificationLog, "bounds" | "read">;

/** Where a subscription is to go on; throws `OperationRefused` where that is no place of its channel's log. */
export async function placeAsked(
  log: Log,
  { subscription, places }: SubscriptionRow,
  to: string,
): Promise<Place> {
  const bounds = await places.bounds();
  if (to === "earliest") return { cursor: bounds.oldest - 1, gap: false };
  if (to === "latest") return { cursor: bounds.newest, gap: false };
  const position = parsePosition(to);
  if (position !== undefined) {
    const place = findPlace(bounds, position);
    if (place.kind === "held") return { cursor: place.sequence, gap: false };
    throw new OperationRefused(
      "contradicts",
      `The log of ${subscription.channel} does not hold what follows the position ${to}. \`earliest\` is where it begins now.`,
    );
  }
  const instant = parseInstant(to);
  if (instant !== undefined) return await placeBefore(log, subscription.channel, millisecondsOf(instant));
  throw new OperationRefused(
    "unusable",
    `to is ${JSON.stringify(to.slice(0, 60))}. It takes \`earliest\`, \`latest\`, a position that this hub gave out, or a W3C datetime such as 2026-01-03T00:00:00Z.`,
  );
}

/** The place before everything that was received at `milliseconds` (since 1970) or later. */
export async function placeBefore(log: Log, channel: ChannelId, milliseconds: number): Promise<Place> {
  const cursor = await sequenceBefore(log, channel, milliseconds);
  const { oldest } = await log.bounds(channel);
  // What was let go of may have come after that instant too: nobody knows any more.
  return { cursor, gap: oldest > 1 && cursor <= oldest - 1 };
}
