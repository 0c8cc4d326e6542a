import { createPublisher, publishNotification } from "../src/index.ts";
import { capabilityListUrl, type PlannedNotification } from "./catalogue.ts";

export interface PublishedNotification {
  readonly kind: PlannedNotification["kind"];
  readonly document: string;
  readonly position: string;
}

/** How often a notification is sent while the hub is away. */
const attempts = 10;

/** The Source: the library's publisher for its changes; what it says of its lists it writes itself. */
export function createSource(setUrl: string, token: string) {
  const channelUrl = (kind: string): string => `${setUrl}/${kind}`;
  const publisher = createPublisher({
    channelUrl: channelUrl("change-notification"),
    token,
    capabilityListUrl,
    attempts,
  });
  return async (planned: PlannedNotification): Promise<PublishedNotification> => {
    const { kind, summary } = planned;
    const outcome =
      kind === "change-notification"
        ? await publisher.publish(planned.changes, { until: planned.until })
        : {
            ...(await publishNotification(channelUrl(kind), planned.document, { token, attempts })),
            document: planned.document,
          };
    if (outcome.kind === "refused") throw new Error(`the hub refused ${summary}: ${outcome.problem.detail}`);
    return { kind, document: outcome.document, position: outcome.position };
  };
}
