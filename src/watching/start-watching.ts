import type { Channels } from "../channels/registry.ts";
import type { SetId } from "../channels/channel.ts";
import type { NotificationLog } from "../log/notification-log.ts";
import type { Events } from "../observability/events.ts";
import type { AcceptNotification } from "../publish/accept-notification.ts";
import type { OutboundHttp } from "../security/outbound-http.ts";
import type { TakeChangeList } from "./change-list-intake.ts";
import { fetchChangeList } from "./fetch-change-list.ts";
import { lookAtList } from "./look-at-list.ts";
import type { IntervalBounds } from "./look-interval.ts";
import { publishChanges } from "./publish-changes.ts";
import { changeListIntake } from "./take-change-list.ts";
import { watchSet } from "./watched-set.ts";
import type { WatchSchedule, WatchStore } from "./watch-store.ts";

interface Parts {
  readonly channels: Pick<Channels, "sets" | "find">;
  readonly watches: WatchStore;
  readonly log: NotificationLog;
  readonly accept: AcceptNotification;
  readonly outbound: Pick<OutboundHttp, "request">;
  readonly events: Events;
  /** The bounds of the time between two looks, in milliseconds. */
  readonly watching: IntervalBounds;
  readonly limits: { readonly notificationBytes: number; readonly resourceListBytes: number };
  readonly now: () => number;
}

/** A set that is watched, as an operator sees it; the schedule is missing before its first look. */
interface WatchedSet {
  readonly set: SetId;
  readonly url: string;
  readonly schedule: Omit<WatchSchedule, "url"> | undefined;
}

export interface Watching {
  /** For lists that come otherwise, by a ping for instance. */
  readonly takeChangeList: TakeChangeList;
  /** Throws `StorageUnavailable`. */
  watched(): Promise<readonly WatchedSet[]>;
  /** Resolves when no look runs any more. */
  close(): Promise<void>;
}

/** Looks at the Change Lists of the sets that are configured with `watch`, and publishes what is new in them. */
export function startWatching(parts: Parts): Watching {
  const { channels, watches: store, outbound, events, watching: bounds, limits, now } = parts;
  const stopper = new AbortController();
  const stopping = stopper.signal;
  const maxBytes = limits.resourceListBytes;
  const fetch = fetchChangeList({ outbound, maxBytes, now, stopping });
  const publishing = publishChanges({ ...parts, store, maxBytes: limits.notificationBytes });
  const list = lookAtList({ store, publishing, fetch, events, maxBytes, stopping });
  const intake = changeListIntake({ channels, list });

  const watched = channels.sets.flatMap(({ id, watch }) => (watch === undefined ? [] : [{ id, watch }]));
  const looping = { store, intake, fetch, events, bounds, now, random: Math.random, stopping };
  const loops = watched.map((set) => watchSet(set, looping));

  return {
    takeChangeList: (list) => intake.take(list),
    async watched() {
      return await Promise.all(
        watched.map(async ({ id, watch }) => {
          const found = await store.schedule(intake.channelOf(id).id);
          if (found === undefined || found.url !== watch) return { set: id, url: watch, schedule: undefined };
          const { url, ...schedule } = found;
          return { set: id, url, schedule };
        }),
      );
    },
    async close() {
      stopper.abort();
      await Promise.all(loops.map((loop) => loop.close()));
      await intake.settled();
    },
  };
}
