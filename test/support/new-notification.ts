import { createHash } from "node:crypto";
import { channelIdOf, parseSetId, type ChannelId } from "../../src/channels/channel.ts";
import type { AppendOutcome, Entry, NewNotification } from "../../src/log/notification-log.ts";
import { type Instant, parseInstant } from "../../src/protocol/instant.ts";

export function testChannel(set = "maps"): ChannelId {
  const id = parseSetId(set);
  if (id === undefined) throw new Error(`${set} is no set id`);
  return channelIdOf(id, "change-notification");
}

export function instant(text: string): Instant {
  const parsed = parseInstant(text);
  if (parsed === undefined) throw new Error(`${text} is no datetime`);
  return parsed;
}

/** A notification as publishing would append it; the digest is that of the payload. */
export function newNotification(
  payload: string | Buffer,
  parts: Partial<NewNotification> = {},
): NewNotification {
  const bytes = Buffer.from(payload);
  return {
    payload: bytes,
    contentType: "application/xml",
    digest: createHash("sha256").update(bytes).digest("hex"),
    interval: undefined,
    receipt: "{}",
    idempotencyKey: undefined,
    repeatWindow: 3_600_000,
    refuseOverlap: false,
    ...parts,
  };
}

export function entryOf(outcome: AppendOutcome): Entry {
  if (outcome.kind === "overlapping") throw new Error("nothing was appended");
  return outcome.entry;
}
