import { createHash } from "node:crypto";
import { z } from "zod";
import type { ChannelId } from "../channels/channel.ts";
import { positionOf } from "../protocol/position.ts";
import type { Changing, EmbeddedEnvironment } from "./embedded-environment.ts";
import type { Entry, NewNotification } from "./notification-log.ts";
import { storedInstant } from "./stored-instant.ts";

const repeatRow = z.object({
  expiresAt: z.number(),
  digest: z.string(),
  epoch: z.string(),
  sequence: z.number(),
  receivedAt: z.number(),
  previousUntil: storedInstant.nullable(),
  receipt: z.string(),
});
type RepeatRow = z.infer<typeof repeatRow>;

type Earlier = { readonly kind: "repeated" | "key-reused"; readonly entry: Entry };

function entryOf({ epoch, sequence, receivedAt, previousUntil, receipt }: RepeatRow): Entry {
  return {
    position: positionOf({ epoch, sequence }),
    sequence,
    receivedAt,
    previousUntil: previousUntil ?? undefined,
    receipt,
  };
}

/** A publisher's key may be longer than a key of the store. */
const shortened = (key: string): string => createHash("sha256").update(key).digest("base64url");

/** How many expired records are taken away by every so many appends, or by a trim: more than they add, so that none stay for ever. */
const appendsPerSweep = 16;
const sweptByAppends = 64;
export const sweptByTrim = 1000;

/** Remembers which documents and which keys came, for as long as they count as repeats. */
export function embeddedRepeats(environment: EmbeddedEnvironment) {
  const records = environment.table("repeats", repeatRow);
  const expiries = environment.table("repeat-expiries", z.literal(1));
  let appends = 0;

  const keyOfDocument = (channel: ChannelId, digest: string) => [channel, "document", digest];
  const keyOfKey = (channel: ChannelId, key: string) => [channel, "key", shortened(key)];

  const put = (changing: Changing, key: readonly string[], row: RepeatRow): void => {
    records.within(changing).put(key, row);
    expiries.within(changing).put([row.expiresAt, ...key], 1);
  };
  const find = (changing: Changing, key: readonly string[], now: number): RepeatRow | undefined => {
    const row = records.within(changing).get(key);
    return row !== undefined && row.expiresAt > now ? row : undefined;
  };
  const sweep = (changing: Changing, now: number, limit: number): void => {
    for (const { key } of expiries.range({ from: [0], to: [now], limit })) {
      const [, ...record] = key;
      const row = records.within(changing).get(record);
      if (row !== undefined && row.expiresAt <= now) records.within(changing).remove(record);
      expiries.within(changing).remove(key);
    }
  };

  return {
    find(
      changing: Changing,
      channel: ChannelId,
      notification: NewNotification,
      now: number,
    ): Earlier | undefined {
      const { digest, idempotencyKey } = notification;
      if (idempotencyKey !== undefined) {
        const row = find(changing, keyOfKey(channel, idempotencyKey), now);
        if (row !== undefined) {
          return { kind: row.digest === digest ? "repeated" : "key-reused", entry: entryOf(row) };
        }
      }
      const row = find(changing, keyOfDocument(channel, digest), now);
      if (row === undefined) return undefined;
      if (idempotencyKey !== undefined) {
        // This key now stands for this document, too.
        const expiresAt = now + notification.repeatWindow;
        put(changing, keyOfKey(channel, idempotencyKey), { ...row, expiresAt });
      }
      return { kind: "repeated", entry: entryOf(row) };
    },
    record(
      changing: Changing,
      channel: ChannelId,
      notification: NewNotification,
      appended: Pick<RepeatRow, "epoch" | "sequence" | "receivedAt" | "previousUntil">,
      now: number,
    ): void {
      const { digest, idempotencyKey, receipt, repeatWindow } = notification;
      appends += 1;
      if (appends % appendsPerSweep === 0) sweep(changing, now, sweptByAppends);
      const row = { ...appended, digest, receipt, expiresAt: now + repeatWindow };
      put(changing, keyOfDocument(channel, digest), row);
      if (idempotencyKey !== undefined) put(changing, keyOfKey(channel, idempotencyKey), row);
    },
    sweep,
  };
}

export type EmbeddedRepeats = ReturnType<typeof embeddedRepeats>;
