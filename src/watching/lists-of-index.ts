import type { Instant } from "../protocol/instant.ts";
import type { NamedList } from "../protocol/read-change-list.ts";

/** Lists of one index that are read in one round. */
const listsAtOnce = 8;

interface ChosenLists {
  readonly lists: readonly NamedList[];
  /** Whether there are more that may hold something new. */
  readonly isMore: boolean;
}

/** A list that another one follows is closed, also where the index does not say until when it reaches (rule CLI01). */
function withUntil(lists: readonly NamedList[]): readonly NamedList[] {
  return lists.map((list, index) => {
    const next = lists[index + 1]?.from;
    return list.until !== undefined || next === undefined ? list : { ...list, until: next };
  });
}

/**
 * The lists of an index that may hold what happened at `reached` or after, oldest first. Of those that say nothing of their
 * interval, the newest.
 */
export function listsToRead(lists: readonly NamedList[], reached: Instant): ChosenLists {
  const all = withUntil(lists);
  const closed = all.filter(({ until }) => until !== undefined && until >= reached);
  if (closed.length >= listsAtOnce) return { lists: closed.slice(0, listsAtOnce), isMore: true };
  const open = all.filter(({ until }) => until === undefined).slice(closed.length - listsAtOnce);
  return { lists: all.filter((list) => closed.includes(list) || open.includes(list)), isMore: false };
}

/** The same for the first look: newest first, each asked for while it may hold what happened at `reached` or after. */
export function* newestLists(
  lists: readonly NamedList[],
  reached: () => Instant | undefined,
): Generator<NamedList> {
  for (const list of withUntil(lists).toReversed().slice(0, listsAtOnce)) {
    const mark = reached();
    if (mark !== undefined && list.until !== undefined && list.until < mark) return;
    yield list;
  }
}
