import type { Logger } from "./logger.ts";
import type { Metrics } from "./metrics.ts";

/** What becomes of topics that the hub fetches. A topic is shown by its origin: its path may be a secret of the publisher. */
export function createTopicEvents(log: Logger, metrics: Metrics) {
  return {
    pinged(at: { topics: number; unknown: number }) {
      log.debug(at, "ping taken");
    },
    topicFound(at: { channel: string; origin: string }) {
      log.info(at, "topic elsewhere found, to be fetched when it is pinged");
    },
    topicRefused(at: { channel: string; origin: string; reason: string }) {
      log.warn(at, "topic elsewhere could not be fetched, subscription denied");
    },
    topicChanged(at: { channel: string; origin: string; position: string; bytes: number }) {
      metrics.topicFetches.inc({ outcome: "changed" });
      metrics.published.inc({ channel: at.channel });
      log.info(at, "topic changed, its content appended");
    },
    topicUnchanged(at: { channel: string; origin: string }) {
      metrics.topicFetches.inc({ outcome: "unchanged" });
      log.debug(at, "topic fetched, nothing new");
    },
    fetchedNotificationAppended(at: { channel: string; origin: string }) {
      metrics.topicFetches.inc({ outcome: "changed" });
      log.debug(at, "the topic's document was new");
    },
    fetchedNotificationRefused(at: { channel: string; origin: string; reason: string }) {
      metrics.topicFetches.inc({ outcome: "refused" });
      log.warn(at, "the topic's document breaks a rule, nothing appended");
    },
    topicFetchFailed(at: { target: string; failures: number; reason: string; nextFetchAt: string }) {
      metrics.topicFetches.inc({ outcome: "failed" });
      log.warn(at, "topic could not be fetched, to be tried again");
    },
    topicFetchGivenUp(at: { target: string; failures: number; reason: string }) {
      metrics.topicFetches.inc({ outcome: "given-up" });
      log.error(at, "topic could not be fetched, given up until the next ping");
    },
    topicForgotten(at: { channel: string; origin: string }) {
      log.info(at, "topic elsewhere forgotten, nobody subscribes to it");
    },
  };
}
