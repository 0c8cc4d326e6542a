import type { Channel } from "../channels/channel.ts";
import type { AppendOutcome, Entry, NotificationLog } from "../log/notification-log.ts";
import type { Events } from "../observability/events.ts";
import type { Fault } from "../protocol/fault.ts";
import { sha256Hex } from "../protocol/hash.ts";
import { formatInstant } from "../protocol/instant.ts";
import { type CheckedNotification, judgeNotification } from "../protocol/judge-notification.ts";
import type { Position } from "../protocol/position.ts";
import { continuityFault, continuityOf } from "./interval-continuity.ts";
import { readReceipt, writeReceipt } from "./receipt.ts";

export interface Publication {
  readonly channel: Channel;
  readonly payload: Buffer;
  readonly publisher: string;
  readonly idempotencyKey: string | undefined;
}

export interface PublishAnswer {
  readonly position: Position;
  readonly changes: number;
  readonly warnings: readonly Fault[];
}

export type PublishOutcome =
  | { readonly kind: "accepted"; readonly answer: PublishAnswer; readonly repeated: boolean }
  | {
      readonly kind: "refused";
      readonly because: "unreadable" | "too-large" | "breaks-rules";
      readonly faults: readonly Fault[];
    }
  | { readonly kind: "key-reused"; readonly first: Position };

interface Parts {
  readonly log: Pick<NotificationLog, "append">;
  readonly events: Pick<Events, "published" | "repeated" | "intervalFault">;
  readonly limits: { readonly notificationBytes: number };
  /** How long, in milliseconds, the same document counts as a repeat. */
  readonly repeatWindow: number;
}

/**
 * A document that says nowhere when (a framework notification may) can be sent again tomorrow and mean something new: it
 * counts as a repeat only as long as a publisher may be trying again. Milliseconds.
 */
const repeatWindowWithoutTime = 10 * 60_000;

/** Validates and appends. Throws `StorageUnavailable` where the log does not take it; then nothing is in the log. */
export function acceptNotifications({ log, events, limits, repeatWindow }: Parts) {
  return async (publication: Publication): Promise<PublishOutcome> => {
    const { channel, payload, idempotencyKey } = publication;
    const verdict = judgeNotification(payload, channel.kind, channel.profile, {
      bytes: limits.notificationBytes,
    });
    if (verdict.kind === "refused") return verdict;

    const { notification, warnings } = verdict;
    const outcome = await log.append(channel.id, {
      payload,
      contentType: "application/xml",
      digest: sha256Hex(payload),
      interval: channel.kind === "change-notification" ? notification.interval : undefined,
      receipt: writeReceipt({ changes: notification.changes, warnings }),
      idempotencyKey,
      repeatWindow: notification.saysWhen ? repeatWindow : Math.min(repeatWindow, repeatWindowWithoutTime),
      refuseOverlap: channel.profile === "1.0.1",
    });
    return conclude(publication, notification, outcome);
  };

  function conclude(
    { channel, payload, publisher }: Publication,
    notification: CheckedNotification,
    outcome: AppendOutcome,
  ): PublishOutcome {
    switch (outcome.kind) {
      case "appended": {
        const { position, previousUntil } = outcome.entry;
        const { profile, changes, interval } = notification;
        events.published({
          channel: channel.id,
          position,
          profile,
          changes,
          bytes: payload.length,
          publisher,
        });
        const continuity =
          previousUntil === undefined || interval === undefined
            ? "adjoining"
            : continuityOf(previousUntil, interval.from);
        if (continuity !== "adjoining" && previousUntil !== undefined && interval !== undefined) {
          const [ended, from] = [formatInstant(previousUntil), formatInstant(interval.from)];
          events.intervalFault({
            channel: channel.id,
            position,
            fault: continuity,
            previousUntil: ended,
            from,
          });
        }
        return { kind: "accepted", repeated: false, answer: answerFor(outcome.entry, notification) };
      }
      case "repeated":
        events.repeated({ channel: channel.id, position: outcome.entry.position, publisher });
        return { kind: "accepted", repeated: true, answer: answerFor(outcome.entry, notification) };
      case "key-reused":
        return { kind: "key-reused", first: outcome.entry.position };
      case "overlapping": {
        const fault =
          notification.interval &&
          continuityFault(outcome.previousUntil, notification.interval.from, "error");
        return { kind: "refused", because: "breaks-rules", faults: fault === undefined ? [] : [fault] };
      }
    }
  }
}

/** The same for the first publication and for every repeat: made of what the log keeps and of the document itself. */
function answerFor(
  { position, previousUntil, receipt }: Entry,
  { interval }: CheckedNotification,
): PublishAnswer {
  const { changes, warnings } = readReceipt(receipt);
  const fault =
    previousUntil === undefined || interval === undefined
      ? undefined
      : continuityFault(previousUntil, interval.from, "warning");
  return { position, changes, warnings: fault === undefined ? warnings : [...warnings, fault] };
}

export type AcceptNotification = ReturnType<typeof acceptNotifications>;
