import type { AnnouncedDocuments } from "./announced-documents.ts";
import { announcingLists } from "./announce-lists.ts";
import { type ChangeListParts, type ChangeLists, createChangeLists } from "./change-lists.ts";
import { createAnnouncer } from "./framework-announcement.ts";
import type { NotificationLog } from "../log/notification-log.ts";
import { reportFault } from "../log/report-fault.ts";
import { startPeriodicTask } from "../observability/periodic-task.ts";
import type { ResourceLists } from "../resources/resource-lists.ts";

interface Parts extends Omit<ChangeListParts, "announce" | "log"> {
  readonly log: Pick<NotificationLog, "append" | "bounds" | "read">;
  readonly describedBy: string | undefined;
  readonly announced: AnnouncedDocuments;
  readonly resourceLists: Pick<ResourceLists, "has">;
}

export interface OwnDocuments extends ChangeLists {
  /** Resolves when a round that was running has ended. */
  close(): Promise<void>;
}

/** Milliseconds between two looks at whether the Capability Lists are still what was announced. */
const announceEvery = 10_000;

/** Makes the documents that the hub has of its own, and announces what has changed in them. */
export async function startOwnDocuments(parts: Parts): Promise<OwnDocuments> {
  const announce = createAnnouncer(parts);
  const changeLists = createChangeLists({ ...parts, announce });
  const { documentsOf } = changeLists;
  const announceChanges = announcingLists({ ...parts, announce, documentsOf });
  await announceChanges();
  const announcing = startPeriodicTask(
    announceEvery,
    announceChanges,
    reportFault(parts.events, "announcements"),
  );
  const rounds = changeLists.startRounds();
  return {
    ...changeLists,
    async close() {
      await Promise.all([rounds.close(), announcing.close()]);
    },
  };
}
