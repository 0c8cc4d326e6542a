import type { Logger } from "./logger.ts";
import type { Metrics } from "./metrics.ts";

/** What looking at the Change Lists of Sources brings. */
export function createWatchingEvents(log: Logger, metrics: Metrics) {
  return {
    watchLooked(at: { set: string; outcome: "changed" | "unchanged" | "failed" }) {
      metrics.looks.inc(at);
      log.debug(at, "looked at a Change List");
    },
    watchBegun(at: { set: string; known: number }) {
      log.info(at, "watching begun, what the Change List holds counts as known");
    },
    changesTaken(at: { channel: string; changes: number }) {
      metrics.changesTaken.inc({ channel: at.channel }, at.changes);
      log.info(at, "changes taken from a Change List");
    },
    watchFailed(at: { set: string; reason: string }) {
      log.warn(at, "Change List not taken");
    },
    watchRecovered(at: { set: string }) {
      log.info(at, "Change List of use again");
    },
    watchGap(at: { channel: string; read: string; from: string }) {
      log.warn(at, "the Change List begins after it was read last, changes may be missing");
    },
  };
}
