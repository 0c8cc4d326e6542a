import type { Logger } from "./logger.ts";

/** What became of the Resource Lists that Sources gave. */
export function createResourceEvents(log: Logger) {
  return {
    baselineTaken(at: { set: string; resources: number; position: string }) {
      log.info(at, "baseline taken");
    },
    baselineRefused(at: { set: string; reason: string }) {
      log.warn(at, "baseline not taken");
    },
  };
}
