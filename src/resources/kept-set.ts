import { setTimeout as pause } from "node:timers/promises";
import type { Channel } from "../channels/channel.ts";
import type { ResourceSet } from "../channels/registry.ts";
import type { NotificationLog } from "../log/notification-log.ts";
import { reportFault } from "../log/report-fault.ts";
import type { Events } from "../observability/events.ts";
import { type BaselineOutcome, reasonOf } from "./baseline-outcome.ts";
import type { FetchedList } from "./fetch-list.ts";
import { foldChanges } from "./fold-changes.ts";
import { editionsOf, type WrittenLists } from "./resource-state.ts";
import type { ResourceStore } from "./resource-store.ts";
import { baselineWithin, takeBaseline } from "./take-baseline.ts";
import { writeLists } from "./write-lists.ts";

export interface KeepingParts {
  readonly store: ResourceStore;
  readonly log: Pick<NotificationLog, "bounds" | "read">;
  readonly fetch: (url: string) => Promise<FetchedList>;
  readonly events: Pick<Events, "baselineTaken" | "baselineRefused" | "storageUnavailable" | "unexpected">;
  readonly maxBytes: number;
  /** Entries of one list; and how old, in milliseconds, a snapshot may be before it is written anew. */
  readonly lists: { readonly entries: number; readonly refresh: number };
  readonly now: () => number;
  readonly stopping: AbortSignal;
}

/** `undefined` where there is no baseline; the first snapshot may still be on its way. */
export type CurrentLists = WrittenLists | "being-written" | undefined;

/** A reader waits so long for a new snapshot, and then gets the one before. Milliseconds. */
const patience = 10_000;

function changeChannelOf({ id, channels }: ResourceSet): Channel {
  const channel = channels.find(({ kind }) => kind === "change-notification");
  if (channel === undefined) throw new Error(`the set ${id} has no change channel`);
  return channel;
}

/** The Resource List of one set. What moves it runs one after the other; other processes are met by the head's revision. */
export function keepSet(set: ResourceSet, parts: KeepingParts) {
  const { store, log, fetch, events, lists, now, stopping } = parts;
  const { id: channel } = changeChannelOf(set);
  const take = takeBaseline(parts);
  const fold = foldChanges({ store, log, now, stopping });
  const write = writeLists({ store, resourcesPerList: lists.entries, now, stopping });

  let running: Promise<unknown> = Promise.resolve();
  function inTurn<Outcome>(action: () => Promise<Outcome>): Promise<Outcome> {
    const turn = running.then(action, action);
    running = turn;
    return turn;
  }
  const head = () => store.head(channel);

  async function isFresh(): Promise<boolean> {
    const state = (await head())?.state;
    if (state === undefined || stopping.aborted) return true;
    if (state.written === null || state.written.generation !== state.generation) return false;
    if (now() - state.written.writtenAt < lists.refresh) return true;
    return state.written.cursor >= (await log.bounds(channel)).newest;
  }
  async function refresh(): Promise<void> {
    if (await isFresh()) return;
    await fold(channel);
    await write(channel, set);
  }

  async function takeAndTell(pieces: AsyncIterable<Uint8Array>, from?: string): Promise<BaselineOutcome> {
    const outcome = await inTurn(() => take(channel, pieces, from));
    if (outcome.kind === "taken") {
      events.baselineTaken({ set: set.id, resources: outcome.resources, position: outcome.position });
      inTurn(refresh).catch(reportFault(events, "resource lists"));
    } else events.baselineRefused({ set: set.id, reason: reasonOf(outcome) });
    return outcome;
  }

  return {
    channel,
    head,
    take: (pieces: AsyncIterable<Uint8Array>) => takeAndTell(pieces),
    /** Fetches the baseline where there is none yet. */
    async fetchMissing(url: string): Promise<void> {
      if ((await head()) !== undefined) return;
      const fetched = await fetch(url);
      if (fetched.kind === "fetched") await takeAndTell(fetched.pieces, url);
      else if (!stopping.aborted) events.baselineRefused({ set: set.id, reason: fetched.reason });
    },
    /** Keeps up with the log, so that retention lets go of nothing that is still to be folded; clears away what is left over. */
    async keepUp(): Promise<void> {
      await inTurn(() => fold(channel));
      const state = (await head())?.state;
      const used = state === undefined ? [] : editionsOf(state);
      await store.drop(channel, used, now() - baselineWithin);
    },
    /** Never older than `refresh`, unless writing takes longer than a reader can wait. */
    async current(): Promise<CurrentLists> {
      const late = new AbortController();
      const waited = pause(patience, undefined, { ref: false, signal: late.signal }).catch(() => {});
      await Promise.race([inTurn(refresh), waited]).finally(() => late.abort());
      const state = (await head())?.state;
      return state === undefined ? undefined : (state.written ?? "being-written");
    },
    settled: () => Promise.allSettled([running]),
  };
}
