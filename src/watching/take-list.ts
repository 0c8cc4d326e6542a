import type { Channel } from "../channels/channel.ts";
import { type Instant, later } from "../protocol/instant.ts";
import { ListNotTaken, type Validators } from "./change-list-intake.ts";
import type { FetchChangeList } from "./fetch-change-list.ts";
import { knownChanges, type NewChange, sortedOnce } from "./new-changes.ts";
import type { Published, PublishChanges } from "./publish-changes.ts";
import { type ReadChangeList, readChangesOfList } from "./read-changes-of-list.ts";
import type { KeptWatch, KnownDocument, WatchMark, WatchStore } from "./watch-store.ts";

/** Pages of one list that are followed. */
const mostPages = 64;
/** Documents of which it is remembered which version was read. */
const mostDocuments = 32;

export interface ListDocument {
  readonly url: string;
  readonly body: Uint8Array | AsyncIterable<Uint8Array>;
  /** Milliseconds since 1970. */
  readonly fetchedAt: number;
  readonly validators?: Validators;
}

export interface TakingParts {
  readonly store: Pick<WatchStore, "read" | "change">;
  readonly publishing: PublishChanges;
  readonly fetch: FetchChangeList;
  readonly maxBytes: number;
  readonly stopping: AbortSignal;
}

export interface ReadPages extends ReadChangeList {
  /** Of the document by which the list is known again; none where a later page may change alone. */
  readonly validators: Validators;
}

export function remembered(
  documents: readonly KnownDocument[],
  url: string,
  validators: Validators,
): readonly KnownDocument[] {
  return [...documents.filter((document) => document.url !== url), { url, ...validators }].slice(
    -mostDocuments,
  );
}

/** Takes one Change List with the pages that follow it: of its changes those that are new. */
export function takeList({ store, publishing, fetch, maxBytes, stopping }: TakingParts) {
  /** The list as one, whatever pages it comes in, or an index. */
  async function readPages(first: ListDocument, isKnown: (change: NewChange) => boolean): Promise<ReadPages> {
    const reading = { isKnown, maxBytes, stopping };
    const read = await readChangesOfList(first, reading);
    const pages = [read.changes];
    const urls = new Set([first.url]);
    let { latest } = read;
    for (let { next } = read.head; next !== undefined && !urls.has(next);) {
      if (urls.size === mostPages) throw new ListNotTaken(`${first.url} has more than ${mostPages} pages`);
      urls.add(next);
      const fetched = await fetch(next);
      if (fetched.kind === "failed") throw new ListNotTaken(fetched.reason);
      if (fetched.kind === "not-modified") throw new ListNotTaken(`${next} answers 304 to a first request`);
      const page = await readChangesOfList({ ...fetched, url: next }, reading);
      pages.push(page.changes);
      if (page.latest !== undefined) latest = later(latest ?? page.latest, page.latest);
      next = page.head.next;
    }
    const validators = pages.length > 1 ? {} : (first.validators ?? {});
    return { ...read, changes: pages.flat(), latest, validators };
  }

  /** Changes the mark when nothing is on its way; whoever moved it meanwhile is met with the new revision. */
  async function moveMark(channel: Channel, move: (mark: WatchMark) => WatchMark): Promise<void> {
    for (;;) {
      const kept = await publishing.settled(channel);
      if (kept === undefined) return;
      if (await store.change(channel.id, kept.revision, { mark: move(kept.mark), pending: undefined }))
        return;
    }
  }

  /** Publishes what is new. `upTo`: see knownChanges. `closedAt`: nothing earlier will be put into the list any more. */
  async function take(
    channel: Channel,
    { url, fetchedAt }: ListDocument,
    read: ReadPages,
    { upTo, closedAt }: { readonly upTo: Instant | undefined; readonly closedAt?: Instant | undefined },
  ): Promise<Published> {
    const knownIn = (kept: KeptWatch) => knownChanges(kept, upTo);
    const published = await publishing.publish(channel, sortedOnce(read.changes), fetchedAt, knownIn);
    const ends = [read.latest, closedAt].filter((end) => end !== undefined);
    await moveMark(channel, (mark) => ({
      ...mark,
      reached: ends.reduce(later, mark.reached),
      documents: remembered(mark.documents, url, read.validators),
    }));
    return published;
  }

  return { readPages, moveMark, take };
}

export type TakeList = ReturnType<typeof takeList>;
