import type { Addressee } from "./addressee.ts";
import type { Logger } from "./logger.ts";

/** What operators do, so that it can be read later who was touched, and how. */
export function createOperatorEvents(log: Logger) {
  return {
    operated(at: Addressee & { action: string }) {
      log.info(at, "an operator changed a subscription");
    },
  };
}
