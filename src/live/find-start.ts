import type { ChannelId } from "../channels/channel.ts";
import { sequenceBefore } from "../log/find-by-time.ts";
import type { LogBounds, Notification, NotificationLog } from "../log/notification-log.ts";
import { findPlace, type PlaceInLog, positionAt } from "../log/place-in-log.ts";
import { millisecondsOf } from "../protocol/instant.ts";
import { placeOf, type Position } from "../protocol/position.ts";
import type { After } from "./after.ts";

/** How far somebody has been told: everything up to here. */
export interface Mark {
  readonly sequence: number;
  readonly position: Position;
}

/** What the log's incarnations were when a mark was found good. Between two marks of the same one, sequence numbers compare. */
export interface Incarnation {
  readonly newest: string;
  readonly known: ReadonlySet<string>;
}

export interface Standing {
  readonly mark: Mark;
  readonly incarnation: Incarnation;
}

export interface Start extends Standing {
  /** Whether something between what was asked for and `mark` may be missing. */
  readonly isAfterGap: boolean;
  /** Whether the log holds nothing after `mark`. */
  readonly isAtEnd: boolean;
}

/** Where to begin to read the log for a reader that has everything up to `after`. */
export async function findStart(
  log: Pick<NotificationLog, "bounds" | "read">,
  channel: ChannelId,
  after: After,
): Promise<Start> {
  const bounds = await log.bounds(channel);
  const place = await placeAfter(log, channel, bounds, after);
  return {
    isAfterGap: place.kind === "gap",
    isAtEnd: place.sequence === bounds.newest,
    mark: { sequence: place.sequence, position: positionAt(bounds, place.sequence) },
    incarnation: incarnationOf(bounds),
  };
}

export function incarnationOf(bounds: LogBounds): Incarnation {
  const epochs = bounds.epochs.map(({ epoch }) => epoch);
  return { newest: epochs.at(-1) ?? "", known: new Set(epochs) };
}

/** Where somebody stands who stood at `before` and has been told everything up to `last` since. */
export function standingAfter({ incarnation }: Standing, { sequence, position }: Notification): Standing {
  return { mark: { sequence, position }, incarnation };
}

/** Whether `page` begins right after the mark, and comes from a log in which the mark is known to be good. */
export function continuesFrom({ mark, incarnation }: Standing, page: readonly Notification[]): boolean {
  const [first, last] = [page[0], page.at(-1)];
  if (first === undefined || last === undefined) return true;
  return first.sequence === mark.sequence + 1 && incarnation.known.has(placeOf(last.position).epoch);
}

async function placeAfter(
  log: Pick<NotificationLog, "bounds" | "read">,
  channel: ChannelId,
  bounds: LogBounds,
  after: After,
): Promise<PlaceInLog> {
  if (after.kind === "position") return findPlace(bounds, after.position);
  if (after.kind === "earliest") return { kind: "held", sequence: bounds.oldest - 1 };
  if (after.kind === "latest") return { kind: "held", sequence: bounds.newest };
  const sequence = Math.max(
    await sequenceBefore(log, channel, millisecondsOf(after.instant)),
    bounds.oldest - 1,
  );
  // What was let go of may have come after that instant too: nobody knows any more.
  const isBeforeOldest = bounds.oldest > 1 && sequence === bounds.oldest - 1;
  return { kind: isBeforeOldest ? "gap" : "held", sequence };
}
