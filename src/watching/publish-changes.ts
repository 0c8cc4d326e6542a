import type { Channel } from "../channels/channel.ts";
import type { NotificationLog } from "../log/notification-log.ts";
import type { Events } from "../observability/events.ts";
import { sha256Hex } from "../protocol/hash.ts";
import { ListNotTaken } from "./change-list-intake.ts";
import { type KnownChanges, type NewChange, reachedWith, seenOf } from "./new-changes.ts";
import { packSeen } from "./seen-changes.ts";
import { settlePending, type SettlingParts } from "./settle-pending.ts";
import type { KeptWatch, PendingNotification } from "./watch-store.ts";
import { writeWatched } from "./written-notification.ts";

/** Changes in one notification. */
const mostAtOnce = 500;
/** So often a notification is written anew because another publisher's came between. */
const mostTries = 10;

interface Parts extends SettlingParts {
  readonly log: Pick<NotificationLog, "bounds" | "read" | "lastUntil">;
  readonly events: Pick<Events, "changesTaken">;
  /** Of one notification. */
  readonly maxBytes: number;
}

export interface Published {
  readonly changes: number;
  readonly notifications: number;
}

/** As many changes as one notification may have, and no more bytes than the hub takes. */
function write(
  channel: Channel,
  { mark }: KeptWatch,
  changes: readonly NewChange[],
  lastUntil: Awaited<ReturnType<NotificationLog["lastUntil"]>>,
  fetchedAt: number,
  maxBytes: number,
) {
  const { capabilityListUrl } = channel;
  for (let count = Math.min(mostAtOnce, changes.length); ; count = Math.ceil(count / 2)) {
    const written = changes.slice(0, count);
    const payload = writeWatched({
      changes: written,
      lastUntil,
      since: mark.since,
      fetchedAt,
      capabilityListUrl,
    });
    if (payload.length <= maxBytes) return { written, payload };
    if (count > 1) continue;
    throw new ListNotTaken(
      `the entry of ${written[0]?.uri.slice(0, 200)} alone makes a notification of more than ${maxBytes} bytes; raise limits.notificationBytes`,
    );
  }
}

/**
 * Publishes changes, oldest first, in notifications that adjoin. Each is kept in the store before it is published, and the mark
 * moves after.
 */
export function publishChanges({ store, log, accept, events, maxBytes }: Parts) {
  const { append, conclude, settled } = settlePending({ store, log, accept });

  /** The faults that refuse it; none where the changes are published, by whomever, or are to be looked at anew. */
  async function publishSome(
    channel: Channel,
    kept: KeptWatch,
    rest: readonly NewChange[],
    fetchedAt: number,
  ) {
    const { newest: after } = await log.bounds(channel.id);
    const lastUntil = await log.lastUntil(channel.id);
    const { written, payload } = write(channel, kept, rest, lastUntil, fetchedAt, maxBytes);
    const pending: PendingNotification = {
      key: `resourcesync-hub watch ${sha256Hex(written.map(({ digest }) => digest).join(""))}`,
      payload,
      after,
      seen: packSeen(seenOf(written)).bytes,
      reached: reachedWith(kept.mark.reached, written, fetchedAt),
    };
    const { mark, revision } = kept;
    if (!(await store.change(channel.id, revision, { mark, pending }))) return { changes: 0, faults: [] };
    const now = { ...kept, revision: revision + 1 };
    const faults = await append(channel, pending);
    if (faults === undefined) {
      await conclude(channel, now, pending);
      events.changesTaken({ channel: channel.id, changes: written.length });
      return { changes: written.length, faults: [] };
    }
    await store.change(channel.id, now.revision, { mark, pending: undefined });
    return { changes: 0, faults };
  }

  /** `knownIn` says which of `changes` were published meanwhile, by another process. */
  async function publish(
    channel: Channel,
    changes: readonly NewChange[],
    fetchedAt: number,
    knownIn: (kept: KeptWatch) => KnownChanges,
  ): Promise<Published> {
    const published = { changes: 0, notifications: 0 };
    let expected: number | undefined;
    for (let [rest, refusals] = [changes, 0]; ;) {
      const kept = await settled(channel);
      if (kept === undefined) throw new ListNotTaken("the store no longer knows the list; it is begun anew");
      // Nobody came between: what is known now is what we published.
      if (kept.revision !== expected) {
        const known = knownIn(kept);
        rest = rest.filter((change) => !known.has(change));
      }
      if (rest.length === 0) return published;

      const { changes: count, faults } = await publishSome(channel, kept, rest, fetchedAt);
      published.changes += count;
      rest = rest.slice(count);
      expected = count > 0 ? kept.revision + 2 : undefined;
      if (count > 0) published.notifications += 1;
      const [first] = faults;
      if (first === undefined) continue;
      // Another publisher's interval came between: S02 refuses where the channel's profile is 1.0.1.
      refusals += 1;
      if (faults.every(({ rule }) => rule === "S02") && refusals < mostTries) continue;
      throw new ListNotTaken(
        `the hub does not take the notification that it made of the list. The first fault, ${first.rule}: ${first.message}`,
      );
    }
  }

  return { settled, publish };
}

export type PublishChanges = ReturnType<typeof publishChanges>;
