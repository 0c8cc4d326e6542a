import type { Fault } from "../protocol/fault.ts";
import { formatInstant, type Instant } from "../protocol/instant.ts";

export type Continuity = "adjoining" | "gap" | "overlap";

/** How an interval follows the one before it: successive change notifications cover adjoining intervals (change notification 1.0.1 §3). */
export function continuityOf(previousUntil: Instant, from: Instant): Continuity {
  if (from === previousUntil) return "adjoining";
  return from > previousUntil ? "gap" : "overlap";
}

/** Rule S02, as a fault of the document that broke the series. */
export function continuityFault(
  previousUntil: Instant,
  from: Instant,
  severity: Fault["severity"],
): Fault | undefined {
  const continuity = continuityOf(previousUntil, from);
  if (continuity === "adjoining") return undefined;
  const [ended, begins] = [formatInstant(previousUntil), formatInstant(from)];
  const what =
    continuity === "gap"
      ? `leaves a gap: the last notification of this channel ended at ${ended}, so Destinations will suspect that they missed changes`
      : `overlaps the last notification of this channel, which ended at ${ended}`;
  return {
    rule: "S02",
    severity,
    message: `the interval from ${begins} ${what}; let from be the until of the notification before (Change Notification 1.0.1 §3)`,
    line: 1,
    column: 1,
    path: "/urlset/rs:md/@from",
  };
}
