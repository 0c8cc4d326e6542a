import type { Logger } from "./logger.ts";
import type { Metrics } from "./metrics.ts";

/** What the hub itself goes through. */
export function createUpkeepEvents(log: Logger, metrics: Metrics) {
  return {
    trimmed(at: { channel: string; notifications: number }) {
      metrics.trimmed.inc({ channel: at.channel }, at.notifications);
      log.info(at, "retention removed notifications");
    },
    storageUnavailable(at: { part: string; reason: string }) {
      metrics.storageFaults.inc();
      log.error(at, "storage unavailable");
    },
    storageBack(at: { part: string }) {
      log.info(at, "storage reachable again");
    },
    outboundRefused(at: { origin: string; reason: string }) {
      metrics.outboundRefused.inc();
      log.warn(at, "outbound request refused by the address guard");
    },
    unexpected(at: { where: string; error: unknown }) {
      log.error({ where: at.where, err: at.error }, "unexpected error");
    },
  };
}
