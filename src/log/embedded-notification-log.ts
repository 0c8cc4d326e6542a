import { z } from "zod";
import type { ChannelId } from "../channels/channel.ts";
import { positionOf } from "../protocol/position.ts";
import { createAppendListeners } from "./append-listeners.ts";
import { appendingTo, notificationRows } from "./embedded-append.ts";
import { boundsOf, channelRows, inEpoch, unusedChannel } from "./embedded-channel-rows.ts";
import type { Changing, EmbeddedEnvironment } from "./embedded-environment.ts";
import { embeddedRepeats, sweptByTrim } from "./embedded-repeats.ts";
import type { Notification, NotificationLog } from "./notification-log.ts";

/** A long trim leaves room between its steps for the appends that came meanwhile. */
const trimmedAtOnce = 1000;

/** One process, one machine: the log in LMDB. */
export function createEmbeddedNotificationLog(
  environment: EmbeddedEnvironment,
  { now = Date.now }: { readonly now?: () => number } = {},
): NotificationLog {
  const channels = channelRows(environment);
  const notifications = notificationRows(environment);
  const health = environment.table("health", z.number());
  const repeats = embeddedRepeats(environment);
  const append = appendingTo({ epoch: environment.epoch, channels, notifications, repeats, now });
  const listeners = createAppendListeners();

  const trimSome = (changing: Changing, channel: ChannelId, sequence: number): number => {
    repeats.sweep(changing, now(), sweptByTrim);
    const row = channels.within(changing).get([channel]);
    if (row === undefined) return 0;
    const oldest = Math.min(sequence, row.newest + 1, row.oldest + trimmedAtOnce);
    if (oldest <= row.oldest) return 0;
    for (let gone = row.oldest; gone < oldest; gone += 1)
      notifications.within(changing).remove([channel, gone]);
    channels.within(changing).put([channel], { ...row, oldest });
    return oldest - row.oldest;
  };

  return {
    async append(channel, notification) {
      return await listeners.telling(channel, () =>
        environment.write((changing) => append(changing, channel, notification)),
      );
    },
    async read(channel, after, limit, maxBytes = Infinity) {
      const page: Notification[] = [];
      let bytes = 0;
      const range = { from: [channel, after + 1], to: [channel, after + limit + 1], limit };
      for (const { key, row } of notifications.range(range)) {
        const sequence = Number(key[1]);
        const { epoch, receivedAt, contentType, payload } = row;
        page.push({ sequence, position: positionOf({ epoch, sequence }), receivedAt, contentType, payload });
        bytes += payload.length;
        if (bytes > maxBytes) break;
      }
      return page;
    },
    async bounds(channel) {
      const known = channels.get([channel]);
      if (known !== undefined && known.newest > 0) return boundsOf(known);
      // The place before the first notification is about to be told: it must be known again after a restart.
      return await environment.write((changing) => {
        const row = channels.within(changing).get([channel]) ?? unusedChannel;
        const named = row.newest > 0 ? row : inEpoch(row, environment.epoch);
        if (named !== row) channels.within(changing).put([channel], named);
        return boundsOf(named);
      });
    },
    async lastUntil(channel) {
      return channels.get([channel])?.lastUntil ?? undefined;
    },
    onAppend: (listener) => listeners.add(listener),
    whenQuiet: (channel, act) => listeners.whenQuiet(channel, act),
    async trimBefore(channel, sequence) {
      let trimmed = 0;
      for (;;) {
        const some = await environment.write((changing) => trimSome(changing, channel, sequence));
        trimmed += some;
        if (some < trimmedAtOnce) return trimmed;
      }
    },
    async probe() {
      await environment.write((changing) => health.within(changing).put(["probe"], now()));
    },
    async describeDurability() {
      return `Every notification is on disk (fsync in ${environment.directory}) before it is acknowledged: it survives a crash of the hub and of the machine.`;
    },
    async close() {
      listeners.clear();
    },
  };
}
