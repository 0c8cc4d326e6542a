import type { Addressee } from "./addressee.ts";
import type { Logger } from "./logger.ts";
import type { Metrics } from "./metrics.ts";

/** What becomes of the servers behind the callbacks. */
export function createOriginEvents(log: Logger, metrics: Metrics) {
  return {
    circuitOpened(at: { callbackOrigin: string; because: string; until: string }) {
      metrics.circuitTurns.inc({ turn: "opened" });
      log.warn(at, "circuit opened, the origin is left alone for a while");
    },
    circuitClosed(at: { callbackOrigin: string }) {
      metrics.circuitTurns.inc({ turn: "closed" });
      log.info(at, "circuit closed, the origin is delivered to again");
    },
    /** How many are not closed now. */
    circuitsOpen(count: number) {
      metrics.openCircuits.set(count);
    },
    deliveryBarred(at: Addressee & { position: string; reason: string; until: string }) {
      log.debug(at, "delivery put off, the circuit of the origin is open");
    },
  };
}
