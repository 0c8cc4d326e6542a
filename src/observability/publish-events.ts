import type { Logger } from "./logger.ts";
import type { Metrics } from "./metrics.ts";

/** What becomes of what a Source sends. */
export function createPublishEvents(log: Logger, metrics: Metrics) {
  return {
    published(at: {
      channel: string;
      position: string;
      profile: string;
      changes: number;
      bytes: number;
      publisher: string;
    }) {
      metrics.published.inc({ channel: at.channel });
      log.info(at, "notification appended");
    },
    repeated(at: { channel: string; position: string; publisher: string }) {
      metrics.repeated.inc({ channel: at.channel });
      log.info(at, "notification came before, nothing appended");
    },
    refused(at: { channel: string; status: number; reason: string }) {
      metrics.refused.inc({ status: at.status });
      log.info(at, "publication refused");
    },
    intervalFault(at: {
      channel: string;
      position: string;
      fault: "gap" | "overlap";
      previousUntil: string;
      from: string;
    }) {
      metrics.intervals.inc({ channel: at.channel, fault: at.fault });
      log.warn(at, `interval ${at.fault} between change notifications`);
    },
  };
}
