import type { ChannelId } from "../channels/channel.ts";
import type { Notification, NotificationLog } from "../log/notification-log.ts";
import { type Instant, instantAt, later } from "../protocol/instant.ts";
import { readResourceChanges } from "../protocol/read-resource-changes.ts";
import type { ResourceState } from "./resource-state.ts";
import { type ResourceHead, resourceKey, type ResourceRow, type ResourceStore } from "./resource-store.ts";

/** Of the log, in one step. */
const notificationsAtOnce = 500;
const bytesAtOnce = 2_000_000;
/** In one step of the store, which nothing else can interrupt. */
const rowsAtOnce = 2000;

/** What one notification changes, for a list whose baseline holds everything before `baselineAt`. */
function rowsOf(notification: Notification, baselineAt: Instant): { rows: ResourceRow[]; told: ToldTimes } {
  const { interval, changes } = readResourceChanges(notification.payload);
  const received = instantAt(notification.receivedAt);
  const rows = changes.flatMap(({ uri, datetime, xml }): ResourceRow[] => {
    const changedAt = datetime ?? interval?.until ?? received;
    return changedAt < baselineAt ? [] : [{ key: resourceKey(uri), changedAt, xml: xml ?? "" }];
  });
  return { rows, told: { interval, received } };
}

interface ToldTimes {
  readonly interval: { readonly from: Instant; readonly until: Instant } | undefined;
  readonly received: Instant;
}

/** An interval that leaves a gap behind what is covered proves nothing of the time before it (change notification 1.0.1 §3). */
function covering(state: ResourceState, { interval, received }: ToldTimes): ResourceState {
  const adjoins = interval !== undefined && interval.from <= state.coveredUntil;
  return {
    ...state,
    coveredUntil: adjoins ? later(state.coveredUntil, interval.until) : state.coveredUntil,
    knownUntil: later(later(state.knownUntil, received), interval?.until ?? received),
  };
}

export type Folding = "done" | "nothing-to-do" | "overtaken";

interface Parts {
  readonly store: Pick<ResourceStore, "head" | "change">;
  readonly log: Pick<NotificationLog, "read">;
  readonly now: () => number;
  /** Folding ends early, between two steps. */
  readonly stopping: AbortSignal;
}

/**
 * Brings a set's resources up to what its change channel tells. Rows and the place in the log move together, so a crash costs
 * nothing; a notification that is folded twice changes nothing, since no row goes back behind a later change.
 */
export function foldChanges({ store, log, now, stopping }: Parts) {
  async function foldPage(channel: ChannelId, head: ResourceHead): Promise<Folding> {
    const page = await log.read(channel, head.state.cursor, notificationsAtOnce, bytesAtOnce);
    const last = page.at(-1);
    if (last === undefined) return "nothing-to-do";
    let { state } = head;
    const rows: ResourceRow[] = [];
    for (const notification of page) {
      const read = rowsOf(notification, state.baselineAt);
      rows.push(...read.rows);
      state = covering(state, read.told);
    }
    let { revision } = head;
    // Until the last step the head says what it said: what is folded again after a crash is the same.
    for (let from = 0; from + rowsAtOnce < rows.length; from += rowsAtOnce) {
      const some = rows.slice(from, from + rowsAtOnce);
      if (!(await store.change(channel, revision, head.state, some))) return "overtaken";
      revision += 1;
    }
    const rest = rows.slice(Math.floor(Math.max(0, rows.length - 1) / rowsAtOnce) * rowsAtOnce);
    const folded = await store.change(channel, revision, { ...state, cursor: last.sequence }, rest);
    return folded ? "done" : "overtaken";
  }

  return async (channel: ChannelId): Promise<void> => {
    for (let overtaken = 0; overtaken < 5 && !stopping.aborted;) {
      const head = await store.head(channel);
      if (head === undefined || head.state.writingUntil > now()) return;
      const folding = await foldPage(channel, head);
      if (folding === "nothing-to-do") return;
      if (folding === "overtaken") overtaken += 1;
    }
  };
}
