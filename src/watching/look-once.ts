import type { SetId } from "../channels/channel.ts";
import type { Events } from "../observability/events.ts";
import type { FetchChangeList } from "./fetch-change-list.ts";
import { type IntervalBounds, type LookResult, nextInterval, waitBefore } from "./look-interval.ts";
import type { ChangeListIntake } from "./take-change-list.ts";
import type { WatchSchedule, WatchStore } from "./watch-store.ts";

interface Parts {
  readonly store: Pick<WatchStore, "read">;
  readonly intake: ChangeListIntake;
  readonly fetch: FetchChangeList;
  readonly events: Pick<Events, "watchBegun">;
}

export interface Look {
  readonly result: LookResult;
  /** Why it failed. */
  readonly reason: string | null;
  /** Milliseconds for which the Source asks not to be asked. */
  readonly notBefore: number;
}

/** Fetches the list, if it is not as it was, and takes it. */
export async function lookOnce(
  { id, watch: url }: { readonly id: SetId; readonly watch: string },
  { store, intake, fetch, events }: Parts,
): Promise<Look> {
  const kept = await store.read(intake.channelOf(id).id);
  const fetched = await fetch(
    url,
    kept?.mark.documents.find((document) => document.url === url),
  );
  const { notBefore } = fetched;
  if (fetched.kind === "failed") return { result: "failed", reason: fetched.reason, notBefore };
  if (fetched.kind === "not-modified") {
    await intake.noteUnchanged(id, fetched.fetchedAt);
    return { result: "unchanged", reason: null, notBefore };
  }
  const outcome = await intake.take({ ...fetched, set: id, url });
  if (outcome.kind === "failed") return { result: "failed", reason: outcome.reason, notBefore };
  if (outcome.kind === "begun") {
    events.watchBegun({ set: id, known: outcome.known });
    return { result: "unchanged", reason: null, notBefore };
  }
  const result = outcome.isMore ? "more" : outcome.changes > 0 ? "changed" : "unchanged";
  return { result, reason: null, notBefore };
}

/** `random` is from 0 to 1. */
export function scheduleAfter(
  look: Look,
  before: WatchSchedule | undefined,
  {
    url,
    at,
    bounds,
    random,
  }: { readonly url: string; readonly at: number; readonly bounds: IntervalBounds; readonly random: number },
): WatchSchedule {
  const interval = nextInterval(before?.interval ?? bounds.min, look.result, bounds);
  const isChange = look.result === "changed" || look.result === "more";
  return {
    url,
    lastLookedAt: at,
    nextLookAt: at + waitBefore(interval, look.notBefore, bounds, random),
    lastChangeAt: isChange ? at : (before?.lastChangeAt ?? null),
    interval,
    failing: look.reason,
  };
}
