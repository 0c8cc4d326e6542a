import type { Logger } from "./logger.ts";
import type { Metrics } from "./metrics.ts";

/** What protects the hub from its clients. */
export function createLimitEvents(log: Logger, metrics: Metrics) {
  return {
    /** At the level of debugging: whoever floods the hub should not flood its log as well. */
    limited(at: {
      limit: "requests" | "connections" | "unanswered" | "publications" | "bodies";
      client: string;
    }) {
      metrics.limited.inc({ limit: at.limit });
      log.debug(at, "a limit held");
    },
    readersCutOff(at: { readers: number; bytes: number }) {
      metrics.limited.inc({ limit: "live-memory" }, at.readers);
      log.warn(at, "live readers that take nothing were cut off, to free memory");
    },
  };
}
