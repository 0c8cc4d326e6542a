import type { Logger } from "./logger.ts";
import type { Metrics } from "./metrics.ts";
import { someEachMinute } from "./some-each-minute.ts";

/** Anybody can send tokens that are not believed, and should not flood the log with them. */
const toldEachMinute = 10;

/** What becomes of tokens, and of the keys by which signed ones are known. */
export function createAccessEvents(log: Logger, metrics: Metrics) {
  const mayTell = someEachMinute(toldEachMinute);
  return {
    /** `client` is an address, or what a proxy that is trusted says of one. */
    accessRefused(at: { where: string; status: number; client: string }) {
      metrics.accessRefused.inc({ status: at.status });
      log.info({ ...at, where: at.where.slice(0, 200) }, "request refused, its token does not allow it");
    },
    signedTokenRefused(at: { reason: string }) {
      metrics.signedTokensRefused.inc();
      log[mayTell() ? "info" : "debug"](at, "signed token not believed");
    },
    keysLoaded(at: { keys: number }) {
      log.debug(at, "keys of the token issuer loaded");
    },
    keysUnavailable(at: { reason: string }) {
      metrics.keyFaults.inc();
      log.error(at, "keys of the token issuer could not be loaded");
    },
  };
}
