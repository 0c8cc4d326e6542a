import type { Instant } from "./instant.ts";
import { readNotification } from "./read-notification.ts";
import { listedResource } from "./resource-entry.ts";

/** What a change notification tells of one resource. */
interface ResourceChange {
  readonly uri: string;
  /** When the resource changed; `undefined` where the notification does not say. */
  readonly datetime: Instant | undefined;
  /** The `url` element of the resource as it is now; `undefined` where it was deleted. */
  readonly xml: string | undefined;
}

export interface ResourceChanges {
  readonly interval: { readonly from: Instant; readonly until: Instant } | undefined;
  readonly changes: readonly ResourceChange[];
}

/** The changes of a notification as a Resource List takes them in; none, where it cannot be read after all. */
export function readResourceChanges(payload: Buffer): ResourceChanges {
  const { from, until, changes = [] } = readNotification(payload) ?? {};
  return {
    interval: from === undefined || until === undefined ? undefined : { from, until },
    changes: changes.flatMap(({ entry, change, at }): ResourceChange[] => {
      const resource = listedResource(entry);
      if (resource === undefined) return [];
      return [{ uri: resource.uri, datetime: at, xml: change === "deleted" ? undefined : resource.xml }];
    }),
  };
}
