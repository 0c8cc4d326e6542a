import type { Channel } from "../channels/channel.ts";
import type { Events } from "../observability/events.ts";
import { formatInstant, type Instant, instantAt, later } from "../protocol/instant.ts";
import type { NamedList } from "../protocol/read-change-list.ts";
import type { IntakeOutcome } from "./change-list-intake.ts";
import { firstLook, notAfter } from "./first-look.ts";
import { listsToRead } from "./lists-of-index.ts";
import { namedLists } from "./named-lists.ts";
import { knownChanges } from "./new-changes.ts";
import { type ListDocument, takeList, type TakingParts } from "./take-list.ts";
import type { KeptWatch } from "./watch-store.ts";

interface Parts extends TakingParts {
  readonly events: Pick<Events, "watchGap">;
}

interface Taken {
  readonly changes: number;
  readonly notifications: number;
}

/** What one look at a set's Change List, or the index of some, brings. Throws `ListNotTaken`. */
export function lookAtList(parts: Parts) {
  const { store, publishing, fetch, events } = parts;
  const { readPages, moveMark, take } = takeList(parts);
  const { fetchNamed, readNamed } = namedLists(fetch, readPages);
  const begin = firstLook({ store, readPages, fetchNamed, readNamed });

  /** What begins after all that was read leaves out changes that nobody will tell us of: their gap is to be seen. */
  async function tellGap(
    channel: Channel,
    from: Instant | undefined,
    { mark }: KeptWatch,
    fetchedAt: number,
  ) {
    const since = notAfter(from, fetchedAt);
    if (since === undefined || since <= instantAt(mark.readAt) || since <= mark.since) return;
    await moveMark(channel, (now) => ({ ...now, since: later(now.since, since) }));
    events.watchGap({
      channel: channel.id,
      read: new Date(mark.readAt).toISOString(),
      from: formatInstant(since),
    });
  }

  /** Lists of an index, oldest first. */
  async function takeNamed(
    channel: Channel,
    lists: readonly NamedList[],
    upTo: Instant | undefined,
  ): Promise<Taken> {
    const taken = { changes: 0, notifications: 0 };
    for (const named of lists) {
      const kept = await publishing.settled(channel);
      if (kept === undefined) break;
      const document = await fetchNamed(named, kept.mark.documents);
      if (document === undefined) continue;
      const list = await readNamed(document, knownChanges(kept, upTo).has);
      const closedAt = notAfter(named.until, document.fetchedAt);
      const { changes, notifications } = await take(channel, document, list, { upTo, closedAt });
      taken.changes += changes;
      taken.notifications += notifications;
    }
    return taken;
  }

  /** `isWatched`: it is the set's own list, not one that somebody else names. */
  async function look(channel: Channel, top: ListDocument, isWatched: boolean): Promise<IntakeOutcome> {
    const kept = await publishing.settled(channel);
    if (kept === undefined) return await begin(channel, top);

    const upTo = isWatched && kept.mark.url !== top.url ? kept.mark.reached : undefined;
    const read = await readPages(top, knownChanges(kept, upTo).has);
    const isIndex = read.head.form === "sitemapindex";
    await tellGap(channel, isIndex ? read.lists[0]?.from : read.head.from, kept, top.fetchedAt);
    const { lists, isMore } = listsToRead(read.lists, kept.mark.reached);
    const taken = isIndex ? await takeNamed(channel, lists, upTo) : await take(channel, top, read, { upTo });
    await moveMark(channel, (mark) => ({
      ...mark,
      url: isWatched ? top.url : mark.url,
      readAt: Math.max(mark.readAt, top.fetchedAt),
    }));
    return { kind: "taken", ...taken, isMore };
  }

  /** The list was found unchanged. */
  async function noteUnchanged(channel: Channel, fetchedAt: number): Promise<void> {
    await moveMark(channel, (mark) => ({ ...mark, readAt: Math.max(mark.readAt, fetchedAt) }));
  }

  return { look, noteUnchanged };
}

export type LookAtList = ReturnType<typeof lookAtList>;
