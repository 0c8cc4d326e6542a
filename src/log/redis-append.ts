import { z } from "zod";
import type { ChannelId } from "../channels/channel.ts";
import type { Instant } from "../protocol/instant.ts";
import { positionOf } from "../protocol/position.ts";
import { newEpoch } from "./new-epoch.ts";
import type { AppendOutcome, LogBounds, NewNotification } from "./notification-log.ts";
import { appendScript } from "./redis-append-script.ts";
import type { RedisConnection } from "./redis-connection.ts";
import { channelKeys, hubKeys } from "./redis-keys.ts";
import { checkRow } from "./stored-row.ts";

const instant = z.custom<Instant>((value) => typeof value === "string" && value !== "");

const overlapReply = z.tuple([z.literal("overlapping"), instant]);
const entryReply = z.tuple([
  z.enum(["appended", "repeated", "key-reused"]),
  z.string(),
  z.coerce.number().int().positive(),
  z.coerce.number(),
  z.union([z.literal(""), instant]),
  z.string(),
]);
const appendReply = z.union([overlapReply, entryReply]);

function outcomeOf(reply: z.infer<typeof appendReply>): AppendOutcome {
  if (reply[0] === "overlapping") return { kind: "overlapping", previousUntil: reply[1] };
  const [kind, epoch, sequence, receivedAt, until, receipt] = reply;
  const previousUntil = until === "" ? undefined : until;
  const position = positionOf({ epoch, sequence });
  return { kind, entry: { position, sequence, receivedAt, previousUntil, receipt } };
}

interface Appending {
  readonly prefix: string;
  /** Names this process in the wake-ups, so that it can tell its own. */
  readonly sender: string;
  readonly now: () => number;
}

/** One append is one script: everything happens, or nothing. */
export async function appendToRedis(
  connection: RedisConnection,
  { prefix, sender, now }: Appending,
  channel: ChannelId,
  notification: NewNotification,
): Promise<AppendOutcome> {
  const { digest, interval, idempotencyKey, payload, contentType, receipt } = notification;
  const keys = channelKeys(prefix, channel);
  const names = [keys.meta, keys.log, keys.document(digest)];
  if (idempotencyKey !== undefined) names.push(keys.idempotencyKey(idempotencyKey));
  const reply = await connection.run((redis) =>
    appendScript.run(redis, names, [
      now(),
      newEpoch(),
      digest,
      interval?.from ?? "",
      interval?.until ?? "",
      notification.refuseOverlap ? "1" : "0",
      notification.repeatWindow,
      contentType,
      payload,
      receipt,
      hubKeys(prefix).appended,
      sender,
      channel,
    ]),
  );
  return outcomeOf(checkRow(appendReply, reply, `answer to an append, ${channel}`));
}

const boundsReply = z.tuple([z.number(), z.number(), z.string().min(1)]);

export function boundsOfReply(reply: unknown, channel: ChannelId): LogBounds {
  const [newest, held, spans] = checkRow(boundsReply, reply, `bounds, ${channel}`);
  const epochs = spans.split(",").map((span) => {
    const [epoch = "", first] = span.split(":");
    return { epoch, first: Number(first) };
  });
  return { oldest: newest - held + 1, newest, epochs };
}
