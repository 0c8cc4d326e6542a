import { z } from "zod";
import type { ChannelId } from "../channels/channel.ts";
import { positionOf } from "../protocol/position.ts";
import { type ChannelRow, inEpoch, unusedChannel } from "./embedded-channel-rows.ts";
import type { Changing, EmbeddedEnvironment, EmbeddedTable } from "./embedded-environment.ts";
import type { EmbeddedRepeats } from "./embedded-repeats.ts";
import type { AppendOutcome, NewNotification } from "./notification-log.ts";

const notificationRow = z.object({
  epoch: z.string(),
  receivedAt: z.number(),
  contentType: z.string(),
  payload: z.instanceof(Buffer),
});

type NotificationRow = z.infer<typeof notificationRow>;

export function notificationRows(environment: EmbeddedEnvironment): EmbeddedTable<NotificationRow> {
  return environment.table("notifications", notificationRow);
}

interface AppendParts {
  readonly epoch: string;
  readonly channels: EmbeddedTable<ChannelRow>;
  readonly notifications: EmbeddedTable<NotificationRow>;
  readonly repeats: EmbeddedRepeats;
  readonly now: () => number;
}

/** The append as one change of the store: what the Redis engine does in its script. */
export function appendingTo({ epoch, channels, notifications, repeats, now }: AppendParts) {
  return (changing: Changing, channel: ChannelId, notification: NewNotification): AppendOutcome => {
    const at = now();
    const earlier = repeats.find(changing, channel, notification, at);
    if (earlier !== undefined) return earlier;

    const row = inEpoch(channels.within(changing).get([channel]) ?? unusedChannel, epoch);
    const { payload, contentType, interval, receipt } = notification;
    const previousUntil = row.lastUntil;
    if (
      notification.refuseOverlap &&
      interval !== undefined &&
      previousUntil !== null &&
      interval.from < previousUntil
    ) {
      return { kind: "overlapping", previousUntil };
    }

    const sequence = row.newest + 1;
    const receivedAt = Math.max(at, row.lastReceivedAt);
    const lastUntil =
      interval !== undefined && (previousUntil === null || interval.until > previousUntil)
        ? interval.until
        : previousUntil;
    notifications.within(changing).put([channel, sequence], { epoch, receivedAt, contentType, payload });
    channels
      .within(changing)
      .put([channel], { ...row, newest: sequence, lastReceivedAt: receivedAt, lastUntil });
    repeats.record(changing, channel, notification, { epoch, sequence, receivedAt, previousUntil }, at);
    const position = positionOf({ epoch, sequence });
    const entry = { position, sequence, receivedAt, previousUntil: previousUntil ?? undefined, receipt };
    return { kind: "appended", entry };
  };
}
