import type { Addressee } from "./addressee.ts";
import type { Logger } from "./logger.ts";
import type { Metrics } from "./metrics.ts";

/** What becomes of notifications on their way to callbacks. */
export function createDeliveryEvents(log: Logger, metrics: Metrics) {
  return {
    delivered(
      at: Addressee & {
        position: string;
        status: number;
        milliseconds: number;
        sinceAppend: number;
        attempt: number;
      },
    ) {
      metrics.attempts.inc({ outcome: "delivered" });
      if (at.attempt === 1) metrics.deliverySeconds.observe(at.sinceAppend / 1000);
      log.debug(at, "delivered");
    },
    deliveryFailed(
      at: Addressee & { position: string; attempt: number; reason: string; nextAttemptAt: string },
    ) {
      metrics.attempts.inc({ outcome: "failed" });
      log.warn(at, "delivery failed, to be tried again");
    },
    parked(at: Addressee & { position: string; attempts: number; reason: string }) {
      metrics.attempts.inc({ outcome: "parked" });
      metrics.parked.inc({ channel: at.channel });
      log.error(at, "delivery given up, notification parked as a dead letter");
    },
    lettersDropped(at: Addressee & { letters: number }) {
      log.warn(at, "the oldest dead letters of the subscription were dropped");
    },
    resent(at: Addressee & { position: string; status: number; milliseconds: number; attempt: number }) {
      metrics.attempts.inc({ outcome: "delivered" });
      log.info(at, "dead letter delivered");
    },
    resendFailed(at: Addressee & { position: string; attempt: number; reason: string }) {
      metrics.attempts.inc({ outcome: "failed" });
      log.warn(at, "dead letter refused again, it stays");
    },
    resendImpossible(at: Addressee & { sequence: number }) {
      log.warn(at, "dead letter cannot be sent, its notification left the log");
    },
    resendsStopped(at: Addressee & { letters: number }) {
      log.warn(at, "dead letters refused in a row, the other ones are not sent");
    },
    paused(at: Addressee & { position: string; attempts: number; reason: string }) {
      metrics.attempts.inc({ outcome: "paused" });
      log.error(at, "delivery given up, subscription paused");
    },
    callbackGone(at: Addressee & { position: string }) {
      metrics.attempts.inc({ outcome: "gone" });
      metrics.subscriptionsEnded.inc({ reason: "gone" });
      log.warn(at, "callback answered 410 Gone, subscription ended");
    },
    claimLost(at: { channel: string; subscription: string }) {
      log.info(at, "delivery to the subscription was taken away");
    },
    missed(at: { channel: string; subscription: string; from: number; to: number }) {
      metrics.missed.inc({ channel: at.channel }, at.to - at.from + 1);
      log.error(at, "the log no longer holds what the subscription has not received");
    },
  };
}
