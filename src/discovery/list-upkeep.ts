import type { Events } from "../observability/events.ts";
import { millisecondsOf } from "../protocol/instant.ts";
import type { ClosedLists } from "./closed-lists.ts";
import type { Announce } from "./framework-announcement.ts";
import { inLots } from "./in-lots.ts";
import type { KeptSet } from "./kept-sets.ts";

interface Parts {
  readonly lists: ClosedLists;
  readonly announce: Announce;
  /** Milliseconds after its `until` for which a closed list is kept. */
  readonly keep: number;
  readonly events: Pick<Events, "changeListsDropped">;
  readonly now: () => number;
}

/** An index has at most 50,000 entries (core 1.1 §7), of which one is the open list. */
const mostClosed = 49_999;
const dropEvery = 60_000;

/** What time asks for: lists are closed that are full or old, closings announced, and lists dropped that were kept long enough. */
export function createListUpkeep({ lists, announce, keep, events, now }: Parts) {
  let dropAt = 0;

  /** After a crash between closing and announcing, the next round makes up for it. */
  async function announceClosed(
    { channel, framework, urls }: KeptSet,
    done: number,
    open: number,
  ): Promise<void> {
    for (let n = done + 1; n < open; n += 1) {
      const found = await lists.read(channel.id, n);
      if (found !== undefined && framework !== undefined) {
        await announce(framework, `closed ${urls.list(n)} ${found.list.digest}`, {
          up: urls.capabilityList,
          datetime: new Date(found.list.closedAt).toISOString(),
          changes: [
            { loc: urls.list(n), change: "updated", capability: "changelist", index: urls.top },
            { loc: urls.list(n + 1), change: "created", capability: "changelist", index: urls.top },
          ],
        });
      }
      await lists.markAnnounced(channel.id, n);
    }
  }

  async function dropOld({ channel }: KeptSet): Promise<void> {
    const closed = await lists.list(channel.id);
    const tooMany = closed.slice(0, Math.max(0, closed.length - mostClosed));
    const before = now() - keep;
    const tooOld = closed.filter(({ until }) => millisecondsOf(until) < before);
    const last = Math.max(tooMany.at(-1)?.n ?? 0, tooOld.at(-1)?.n ?? 0);
    if (last === 0) return;
    const dropped = await lists.drop(channel.id, last, now());
    if (dropped > 0) events.changeListsDropped({ channel: channel.id, lists: dropped });
  }

  return async (sets: Iterable<KeptSet>): Promise<void> => {
    const isTimeToDrop = now() >= dropAt;
    // Before anything can fail: what could not be dropped has time until the next time.
    if (isTimeToDrop) dropAt = now() + dropEvery;
    await inLots(sets, async (set) => {
      const { state, open } = await set.keeper.refresh();
      await announceClosed(set, state.announced, open.open.n);
      if (isTimeToDrop) await dropOld(set);
    });
  };
}
