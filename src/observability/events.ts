import { createAccessEvents } from "./access-events.ts";
import { createChangeListEvents } from "./change-list-events.ts";
import { createDeliveryEvents } from "./delivery-events.ts";
import { createLimitEvents } from "./limit-events.ts";
import { createLiveEvents } from "./live-events.ts";
import { createOperatorEvents } from "./operator-events.ts";
import { createOriginEvents } from "./origin-events.ts";
import { createPublishEvents } from "./publish-events.ts";
import { createResourceEvents } from "./resource-events.ts";
import { createSubscriptionEvents } from "./subscription-events.ts";
import { createUpkeepEvents } from "./upkeep-events.ts";
import { createTopicEvents } from "./topic-events.ts";
import { createWatchingEvents } from "./watching-events.ts";
import type { Logger } from "./logger.ts";
import type { Metrics } from "./metrics.ts";

/** One function for each event that matters: it writes the log line and moves the counter. One call site for each. */
export function createEvents(log: Logger, metrics: Metrics) {
  return {
    ...createAccessEvents(log, metrics),
    ...createPublishEvents(log, metrics),
    ...createSubscriptionEvents(log, metrics),
    ...createDeliveryEvents(log, metrics),
    ...createOriginEvents(log, metrics),
    ...createLiveEvents(log, metrics),
    ...createResourceEvents(log),
    ...createUpkeepEvents(log, metrics),
    ...createChangeListEvents(log, metrics),
    ...createOperatorEvents(log),
    ...createLimitEvents(log, metrics),
    ...createTopicEvents(log, metrics),
    ...createWatchingEvents(log, metrics),
  };
}

export type Events = ReturnType<typeof createEvents>;
