import { placeOf, type Position, positionOf } from "../protocol/position.ts";
import type { LogBounds } from "./notification-log.ts";

export type PlaceInLog =
  /** Reading goes on after this sequence number, and nothing is missing. */
  | { readonly kind: "held"; readonly sequence: number }
  /** The log no longer (or never did) hold what follows the position; reading can go on after `sequence`. */
  | { readonly kind: "gap"; readonly sequence: number };

/** Where a reader stands who has everything up to `position`. */
export function findPlace(bounds: LogBounds, position: Position): PlaceInLog {
  const { epoch, sequence } = placeOf(position);
  const index = bounds.epochs.findIndex((span) => span.epoch === epoch);
  const span = bounds.epochs[index];
  const next = bounds.epochs[index + 1];
  const last = next === undefined ? bounds.newest : next.first - 1;
  const givenOut = span !== undefined && sequence <= last && (sequence >= span.first || sequence === 0);
  if (givenOut && sequence >= bounds.oldest - 1) return { kind: "held", sequence };
  return { kind: "gap", sequence: bounds.oldest - 1 };
}

/** The position of a sequence number that the log has given out, or 0. */
export function positionAt(bounds: LogBounds, sequence: number): Position {
  const span = bounds.epochs.findLast(({ first }) => first <= sequence) ?? bounds.epochs[0];
  return positionOf({ epoch: span?.epoch ?? "", sequence });
}
