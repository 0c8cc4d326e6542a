import type { Addressee } from "./addressee.ts";
import type { Logger } from "./logger.ts";
import type { Metrics } from "./metrics.ts";

/** By the limits of verification, or by the list of callbacks that may be subscribed. */
type RefusedRequest = "busy" | "host-busy" | "unconfirmed" | "callback";

/** How subscriptions begin and end. */
export function createSubscriptionEvents(log: Logger, metrics: Metrics) {
  return {
    subscriptionRequestRefused(at: { why: RefusedRequest; callbackOrigin: string }) {
      metrics.requestsRefused.inc({ reason: at.why });
      log.info(at, "subscription request refused before anybody was asked");
    },
    intentVerified(
      at: Addressee & { mode: "subscribe" | "unsubscribe"; result: string; leaseSeconds: number },
    ) {
      metrics.verifications.inc({ mode: at.mode, outcome: "confirmed" });
      if (at.mode === "unsubscribe") metrics.subscriptionsEnded.inc({ reason: "unsubscribed" });
      log.info(at, "intent confirmed by the callback");
    },
    intentNotVerified(at: Addressee & { mode: "subscribe" | "unsubscribe"; reason: string }) {
      metrics.verifications.inc({ mode: at.mode, outcome: "failed" });
      log.warn(at, "intent not confirmed, nothing changed");
    },
    /** `told` says whether the callback answered; what it answered does not matter. */
    subscriptionDenied(at: Addressee & { reason: string; told: string }) {
      metrics.denials.inc();
      log.info(at, "subscription denied, its callback told why");
    },
    subscriptionRevoked(at: Addressee) {
      metrics.subscriptionsEnded.inc({ reason: "revoked" });
      log.info(at, "subscription ended by the hub");
    },
    /** `holder`: whose right it had been; none where the set was public when it was confirmed. */
    subscriptionUnauthorised(at: Addressee & { holder: string | undefined }) {
      metrics.subscriptionsEnded.inc({ reason: "unauthorised" });
      log.warn(at, "subscription ended: nobody's right to read the private set covers it");
    },
    leaseEnded(at: Addressee) {
      metrics.subscriptionsEnded.inc({ reason: "lease" });
      log.info(at, "lease ran out, subscription ended");
    },
  };
}
