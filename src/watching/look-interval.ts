import { retryAfterOf } from "../protocol/retry-after.ts";

/** The bounds, in milliseconds. */
export interface IntervalBounds {
  readonly min: number;
  readonly max: number;
}

const longestAsked = 86_400_000;

const milliseconds = (seconds: string | undefined): number =>
  Math.min(Number(seconds ?? 0) * 1000, longestAsked);

/**
 * Milliseconds, at most a day, for which an answer says that it stays as it is (`Cache-Control: max-age`, less its `Age`; RFC 9111
 * §4.2), or that nobody should ask (`Retry-After`, RFC 9110 §10.2.3).
 */
export function delayAskedFor(headers: Readonly<Record<string, string>>, now: number): number {
  const [, maxAge] = /(?:^|[\s,])max-age="?(\d{1,10})/i.exec(headers["cache-control"] ?? "") ?? [];
  const [age] = /^\d{1,10}$/.exec(headers["age"] ?? "") ?? [];
  const fresh = Math.max(0, milliseconds(maxAge) - milliseconds(age));
  return Math.max(fresh, retryAfterOf(headers["retry-after"], now) ?? 0);
}

/** What a look brought. `more`: lists of an index are still to be read. */
export type LookResult = "changed" | "more" | "unchanged" | "failed";

/** The next interval, in milliseconds: half of it after a change, half as much again after none or a failure. */
export function nextInterval(interval: number, result: LookResult, { min, max }: IntervalBounds): number {
  if (result === "more") return min;
  const next = result === "changed" ? interval / 2 : interval * 1.5;
  return Math.min(Math.max(Math.round(next), min), max);
}

/** Milliseconds to the next look: the interval, or what the Source asked for within the bounds, ±10 %. `random` is from 0 to 1. */
export function waitBefore(
  interval: number,
  notBefore: number,
  { max }: IntervalBounds,
  random: number,
): number {
  const wait = Math.max(interval, Math.min(notBefore, max));
  return Math.round(wait * (0.9 + 0.2 * random));
}
