import type { AnnouncedDocuments } from "./announced-documents.ts";
import { announceConfiguration } from "./announce-configuration.ts";
import { type ChangeListParts, type ChangeLists, createChangeLists } from "./change-lists.ts";
import { createAnnouncer } from "./framework-announcement.ts";
import type { NotificationLog } from "../log/notification-log.ts";

interface Parts extends Omit<ChangeListParts, "announce" | "log"> {
  readonly log: Pick<NotificationLog, "append" | "bounds" | "read">;
  readonly describedBy: string | undefined;
  readonly announced: AnnouncedDocuments;
}

export interface OwnDocuments extends ChangeLists {
  /** Resolves when a round that was running has ended. */
  close(): Promise<void>;
}

/** Makes the documents that the hub has of its own, and announces what a new configuration changed in them. */
export async function startOwnDocuments(parts: Parts): Promise<OwnDocuments> {
  const announce = createAnnouncer(parts);
  const changeLists = createChangeLists({ ...parts, announce });
  const { documentsOf } = changeLists;
  await announceConfiguration({ ...parts, announce, documentsOf });
  const rounds = changeLists.startRounds();
  return { ...changeLists, close: () => rounds.close() };
}
