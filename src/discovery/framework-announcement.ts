import type { Channel } from "../channels/channel.ts";
import type { NotificationLog } from "../log/notification-log.ts";
import type { Events } from "../observability/events.ts";
import { sha256Hex } from "../protocol/hash.ts";
import { writeDocument } from "../protocol/write-document.ts";

interface AnnouncedChange {
  readonly loc: string;
  readonly change: "created" | "updated";
  readonly capability: string;
  /** Of the document that `loc` is a component of (framework notification 1.0.1 §3). */
  readonly index?: string;
}

export interface Announcement {
  readonly up: string | undefined;
  /** A W3C Datetime: when it came to be. */
  readonly datetime: string;
  readonly changes: readonly AnnouncedChange[];
}

/** A framework notification, in the form that the channel takes: notification 0.8 has no top-level rs:md and no datetime. */
function writeAnnouncement({ up, datetime, changes }: Announcement, profile: Channel["profile"]): string {
  const is08 = profile === "0.8";
  return writeDocument({
    links: up === undefined ? [] : [{ rel: "up", href: up }],
    metadata: is08 ? undefined : { capability: "framework-notification" },
    entries: changes.map(({ loc, change, capability, index }) => ({
      loc,
      metadata: { change, capability, datetime: is08 ? undefined : datetime },
      links: index === undefined ? [] : [{ rel: "index", href: index }],
    })),
  });
}

interface Parts {
  readonly log: Pick<NotificationLog, "append">;
  readonly events: Pick<Events, "documentAnnounced">;
}

/** How long a second process, or this one after a crash, may come with the same announcement. */
const repeatWindow = 7 * 86_400_000;
const repeatWindowWithoutTime = 600_000;

/**
 * Publishes what the hub says about its own documents, as a Source does: by the log. The same key is published once, whichever
 * process comes first, even where the two do not agree on the minute.
 */
export function createAnnouncer({ log, events }: Parts) {
  return async (channel: Channel, key: string, announcement: Announcement): Promise<void> => {
    const payload = Buffer.from(writeAnnouncement(announcement, channel.profile));
    const outcome = await log.append(channel.id, {
      payload,
      contentType: "application/xml",
      digest: sha256Hex(payload),
      interval: undefined,
      receipt: JSON.stringify({ changes: announcement.changes.length, warnings: [] }),
      idempotencyKey: `resourcesync-hub ${key}`,
      repeatWindow: channel.profile === "0.8" ? repeatWindowWithoutTime : repeatWindow,
      refuseOverlap: false,
    });
    if (outcome.kind !== "appended") return;
    const about = announcement.changes.map(({ loc }) => loc).join(" ");
    events.documentAnnounced({ channel: channel.id, position: outcome.entry.position, about });
  };
}

export type Announce = ReturnType<typeof createAnnouncer>;
