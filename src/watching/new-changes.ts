import { type Instant, instantAt, later } from "../protocol/instant.ts";
import type { ReadChange } from "../protocol/read-changes.ts";
import { digestOf, packSeen, secondOf, type SeenChanges, unpackSeen } from "./seen-changes.ts";
import type { KeptWatch, WatchMark } from "./watch-store.ts";

export interface NewChange extends ReadChange {
  readonly digest: string;
  readonly second: number;
}

/** Which changes of a set are known. */
export interface KnownChanges {
  readonly has: (change: NewChange) => boolean;
  /** The digests, packed, with these besides; and the mark's floor then. */
  with(seen: SeenChanges): { readonly seen: Buffer; readonly floor: number };
}

/** `upTo`: what happened until then counts as known, since it was published from the list that was watched before. */
export function knownChanges({ mark, seen }: Pick<KeptWatch, "mark" | "seen">, upTo?: Instant): KnownChanges {
  const known = unpackSeen(seen);
  return {
    has: ({ digest, second, at }) =>
      known.has(digest) || second <= mark.floor || (upTo !== undefined && at !== undefined && at <= upTo),
    with(more) {
      for (const [digest, second] of more) known.set(digest, second);
      const packed = packSeen(known);
      return { seen: packed.bytes, floor: Math.max(mark.floor, packed.floor) };
    },
  };
}

export function newChange(change: ReadChange, fetchedAt: number): NewChange {
  return { ...change, digest: digestOf(change), second: secondOf(change, fetchedAt) };
}

/** Oldest first, each once; those that do not say when come last, in the order in which they stand in the list. */
export function sortedOnce(changes: readonly NewChange[]): readonly NewChange[] {
  const once = [...new Map(changes.map((change) => [change.digest, change])).values()];
  const timed = once.flatMap((change) => (change.at === undefined ? [] : [{ at: change.at, change }]));
  return [
    ...timed.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)).map(({ change }) => change),
    ...once.filter(({ at }) => at === undefined),
  ];
}

export const seenOf = (changes: readonly NewChange[]): SeenChanges =>
  new Map(changes.map(({ digest, second }) => [digest, second]));

/**
 * What a mark reaches with these changes. A Source's fast clock does not draw it into the future: it ends with `fetchedAt`,
 * in milliseconds.
 */
export function reachedWith(
  reached: WatchMark["reached"],
  changes: readonly Pick<ReadChange, "at">[],
  fetchedAt: number,
): Instant {
  const end = instantAt(fetchedAt);
  return changes.reduce(
    (most, { at }) => (at === undefined ? most : later(most, at < end ? at : end)),
    reached,
  );
}
