import type { Channel } from "../channels/channel.ts";
import { type Instant, instantAt, later } from "../protocol/instant.ts";
import type { IntakeOutcome } from "./change-list-intake.ts";
import { newestLists } from "./lists-of-index.ts";
import type { NamedLists } from "./named-lists.ts";
import { seenOf } from "./new-changes.ts";
import { packSeen } from "./seen-changes.ts";
import { type ListDocument, remembered, type TakeList } from "./take-list.ts";
import type { KnownDocument, WatchStore } from "./watch-store.ts";

interface Parts extends NamedLists {
  readonly store: Pick<WatchStore, "change">;
  readonly readPages: TakeList["readPages"];
}

/** `fetchedAt` in milliseconds since 1970. */
export const notAfter = (time: Instant | undefined, fetchedAt: number): Instant | undefined =>
  time !== undefined && time > instantAt(fetchedAt) ? instantAt(fetchedAt) : time;

/** The first look takes what is there as known: Destinations have it from the Source. */
export function firstLook({ store, readPages, fetchNamed, readNamed }: Parts) {
  return async (channel: Channel, top: ListDocument): Promise<IntakeOutcome> => {
    const { url, fetchedAt } = top;
    const isKnown = (): boolean => false;
    const read = await readPages(top, isKnown);
    const changes = [...read.changes];
    let documents: readonly KnownDocument[] = [];
    let reached = read.latest;
    if (read.head.form === "urlset") documents = remembered([], url, read.validators);
    for (const named of newestLists(read.lists, () => reached)) {
      const document = await fetchNamed(named, []);
      if (document === undefined) continue;
      const list = await readNamed(document, isKnown);
      for (const change of list.changes) changes.push(change);
      const end = list.latest ?? notAfter(list.head.from ?? named.from, fetchedAt);
      if (end !== undefined) reached = later(reached ?? end, end);
      documents = remembered(documents, document.url, list.validators);
    }
    const end = reached ?? notAfter(read.head.from, fetchedAt) ?? instantAt(fetchedAt);
    const seen = seenOf(changes);
    const { bytes, floor } = packSeen(seen);
    const mark = { url, since: end, reached: end, floor, readAt: fetchedAt, documents };
    await store.change(channel.id, 0, { mark, seen: bytes, pending: undefined });
    return { kind: "begun", known: seen.size };
  };
}
