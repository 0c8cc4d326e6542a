import type { Logger } from "./logger.ts";
import type { Metrics } from "./metrics.ts";

/** What becomes of the documents that the hub makes from its log. */
export function createChangeListEvents(log: Logger, metrics: Metrics) {
  return {
    changeListClosed(at: { channel: string; n: number; entries: number; until: string }) {
      metrics.changeListsClosed.inc({ channel: at.channel });
      log.info(at, "Change List closed");
    },
    changeListGap(at: { channel: string; n: number; from: string; missing: number }) {
      log.warn(at, "notifications left the log before a Change List held them");
    },
    changeListsDropped(at: { channel: string; lists: number }) {
      log.info(at, "retention removed Change Lists");
    },
    changesUnreadable(at: { channel: string; position: string }) {
      log.error(at, "a notification in the log cannot be read, its changes are in no Change List");
    },
    documentAnnounced(at: { channel: string; position: string; about: string }) {
      log.info(at, "the hub announced a change of its own documents");
    },
  };
}
