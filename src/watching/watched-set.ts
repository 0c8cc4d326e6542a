import { randomUUID } from "node:crypto";
import type { SetId } from "../channels/channel.ts";
import { reportFault } from "../log/report-fault.ts";
import type { Events } from "../observability/events.ts";
import type { FetchChangeList } from "./fetch-change-list.ts";
import type { IntervalBounds } from "./look-interval.ts";
import { type Look, lookOnce, scheduleAfter } from "./look-once.ts";
import type { ChangeListIntake } from "./take-change-list.ts";
import type { WatchSchedule, WatchStore } from "./watch-store.ts";

export interface WatchingParts {
  readonly store: WatchStore;
  readonly intake: ChangeListIntake;
  readonly fetch: FetchChangeList;
  readonly events: Pick<
    Events,
    "watchLooked" | "watchBegun" | "watchFailed" | "watchRecovered" | "storageUnavailable" | "unexpected"
  >;
  readonly bounds: IntervalBounds;
  readonly now: () => number;
  readonly random: () => number;
  readonly stopping: AbortSignal;
}

/** So long after it was last heard of, a process that claimed a look counts as gone. Milliseconds. */
const claimLapse = 30_000;
/** Whoever finds a look claimed by another process, or the store away, comes again after so many milliseconds. */
const comeAgain = 5000;

/** A list that stays as faulty as it was is told of once. */
function tell(
  { result, reason }: Look,
  before: WatchSchedule | undefined,
  { id, events }: Pick<WatchingParts, "events"> & { readonly id: SetId },
): void {
  events.watchLooked({ set: id, outcome: result === "more" ? "changed" : result });
  const failing = before?.failing ?? null;
  if (reason !== null && reason !== failing) events.watchFailed({ set: id, reason });
  if (reason === null && failing !== null) events.watchRecovered({ set: id });
}

/** Looks at the list of one set, again and again; of several processes one at a time. */
export function watchSet(set: { readonly id: SetId; readonly watch: string }, parts: WatchingParts) {
  const { store, intake, events, bounds, now, random, stopping } = parts;
  const { id, watch: url } = set;
  const { id: channel } = intake.channelOf(id);
  const holder = randomUUID();
  const report = reportFault(events, "watching");

  async function underClaim(action: () => Promise<Look>): Promise<Look> {
    const keep = (): void => {
      store.claim(channel, holder, now(), claimLapse).catch(report);
    };
    const keeping = setInterval(keep, claimLapse / 3);
    let done = false;
    try {
      const look = await action();
      done = !stopping.aborted;
      return look;
    } finally {
      clearInterval(keeping);
      if (!done) await store.release(channel, holder);
    }
  }

  /** Milliseconds until it is worth asking again. */
  async function lookIfDue(): Promise<number> {
    const before = await store.schedule(channel);
    const isOther = before !== undefined && before.url !== url;
    // The bounds may be narrower than they were.
    const dueAt =
      before === undefined || isOther
        ? 0
        : Math.min(before.nextLookAt, before.lastLookedAt + bounds.max * 1.1);
    if (dueAt > now()) return dueAt - now();
    if (!(await store.claim(channel, holder, now(), claimLapse))) return comeAgain;
    // Another process may have looked between the two.
    const since = await store.schedule(channel);
    if (since !== undefined && since.lastLookedAt !== before?.lastLookedAt) {
      await store.conclude(channel, holder, since);
      return comeAgain;
    }
    const look = await underClaim(() => lookOnce(set, parts));
    if (stopping.aborted) return comeAgain;
    const schedule = scheduleAfter(look, isOther ? undefined : before, {
      url,
      at: now(),
      bounds,
      random: random(),
    });
    await store.conclude(channel, holder, schedule);
    tell(look, isOther ? undefined : before, { id, events });
    return schedule.nextLookAt - now();
  }

  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  async function round(): Promise<void> {
    const wait = await lookIfDue().catch((error: unknown) => {
      report(error);
      return comeAgain;
    });
    if (stopping.aborted) return;
    timer = setTimeout(begin, Math.max(wait, 10));
    timer.unref();
  }
  function begin(): void {
    running = round();
  }
  begin();

  return {
    /** After `stopping`: resolves when nothing runs any more. */
    async close(): Promise<void> {
      clearTimeout(timer);
      await running;
    },
  };
}
