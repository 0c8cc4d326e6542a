import type { Channel } from "../channels/channel.ts";
import type { NotificationLog } from "../log/notification-log.ts";
import type { AcceptNotification } from "../publish/accept-notification.ts";
import { knownChanges } from "./new-changes.ts";
import { joinedSeen, unpackSeen } from "./seen-changes.ts";
import type { KeptWatch, PendingNotification, WatchStore } from "./watch-store.ts";

const searchedAtOnce = 100;
const searchedBytes = 4_000_000;

export interface SettlingParts {
  readonly store: WatchStore;
  readonly log: Pick<NotificationLog, "read">;
  readonly accept: AcceptNotification;
}

/**
 * Brings notifications that are kept in the store into the log, and moves the mark after: whoever finds one there after a crash
 * publishes the same bytes under the same key, or sees that the log has them.
 */
export function settlePending({ store, log, accept }: SettlingParts) {
  async function isInLog(channel: Channel, { after, payload }: PendingNotification): Promise<boolean> {
    for (let from = after; ;) {
      const page = await log.read(channel.id, from, searchedAtOnce, searchedBytes);
      const last = page.at(-1);
      if (last === undefined) return false;
      if (page.some((notification) => notification.payload.equals(payload))) return true;
      from = last.sequence;
    }
  }

  /** The faults that refused it; none where it is in the log. */
  async function append(channel: Channel, { payload, key }: PendingNotification) {
    const outcome = await accept({ channel, payload, publisher: "watch", idempotencyKey: key });
    return outcome.kind === "refused" ? outcome.faults : undefined;
  }

  async function conclude(channel: Channel, kept: KeptWatch, pending: PendingNotification): Promise<boolean> {
    const { mark, revision } = kept;
    const joined = joinedSeen(kept.seen, pending.seen);
    const { seen, floor } =
      joined === undefined
        ? knownChanges(kept).with(unpackSeen(pending.seen))
        : { seen: joined, floor: mark.floor };
    const reached = pending.reached > mark.reached ? pending.reached : mark.reached;
    const change = { mark: { ...mark, floor, reached }, seen, pending: undefined };
    return await store.change(channel.id, revision, change);
  }

  /** What is known, once no notification is on its way any more. */
  async function settled(channel: Channel): Promise<KeptWatch | undefined> {
    for (;;) {
      const kept = await store.read(channel.id);
      const pending = kept?.pending;
      if (kept === undefined || pending === undefined) return kept;
      const faults = (await isInLog(channel, pending)) ? undefined : await append(channel, pending);
      if (faults === undefined) await conclude(channel, kept, pending);
      else await store.change(channel.id, kept.revision, { mark: kept.mark, pending: undefined });
    }
  }

  return { append, conclude, settled };
}
