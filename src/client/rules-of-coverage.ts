import type { Instant } from "../protocol/instant.ts";
import type { SourceComplaint, SourceRule } from "./source-rule.ts";
import type { Digest, ListedChange, WalkedSource } from "./walked-document.ts";

/** The lists of one set: by the entries of its Capability List, through indexes. */
function listsOf(capabilityList: Digest, type: string, { find }: WalkedSource): Digest[] {
  const named = capabilityList.entries.flatMap(({ loc }) => find(loc) ?? []);
  const below = named
    .filter((digest) => digest.type === `${type}-index`)
    .flatMap((index) => index.entries.flatMap(({ loc }) => find(loc) ?? []));
  return [...new Set([...named, ...below])].filter((digest) => digest.type === type);
}

interface Snapshot {
  readonly from: Instant;
  readonly until: Instant;
}

/** The time in which the Resource Lists were made: what changed within it may be in them or not. */
function snapshotOf(lists: readonly Digest[]): Snapshot | undefined {
  let whole: Snapshot | undefined;
  for (const { metadata } of lists) {
    const from = metadata?.at?.instant;
    if (from === undefined) return undefined;
    const until = metadata?.completed?.instant ?? from;
    whole =
      whole === undefined
        ? { from, until }
        : { from: from < whole.from ? from : whole.from, until: until > whole.until ? until : whole.until };
  }
  return whole;
}

function changesByResource(lists: readonly Digest[]): Map<string, ListedChange[]> {
  const changes = new Map<string, ListedChange[]>();
  for (const change of lists.flatMap((list) => list.changes)) {
    const before = changes.get(change.loc);
    if (before === undefined) changes.set(change.loc, [change]);
    else before.push(change);
  }
  return changes;
}

const byTime = (a: ListedChange, b: ListedChange): number => ((a.at ?? "") < (b.at ?? "") ? -1 : 1);

/** Whether the resource was there when the Resource Lists were made; `undefined` where the changes do not tell. */
function wasThere(changes: readonly ListedChange[], { from, until }: Snapshot): boolean | undefined {
  if (changes.some(({ at }) => at === undefined || (at > from && at <= until))) return undefined;
  const inOrder = changes.toSorted(byTime);
  const before = inOrder.findLast(({ at }) => at !== undefined && at <= from);
  if (before !== undefined) return before.change !== "deleted";
  const [after] = inOrder;
  return after?.change === "updated" || after?.change === "deleted" ? true : undefined;
}

const some = (locs: readonly string[]): string =>
  `${locs.slice(0, 3).join(", ")}${locs.length > 3 ? ` and ${locs.length - 3} more` : ""}`;

function compare(capabilityList: Digest, source: WalkedSource): SourceComplaint[] {
  const resourceLists = listsOf(capabilityList, "resource-list", source);
  const changeLists = listsOf(capabilityList, "change-list", source);
  const snapshot = snapshotOf(resourceLists);
  const isWhole = [...resourceLists, ...changeLists].every((digest) => digest.isWhole);
  if (snapshot === undefined || changeLists.length === 0 || !isWhole) return [];
  const missing: string[] = [];
  const stale: string[] = [];
  for (const [loc, changes] of changesByResource(changeLists)) {
    const isListed = resourceLists.some(({ resources }) => resources.has(loc));
    const should = wasThere(changes, snapshot);
    if (should === true && !isListed) missing.push(loc);
    if (should === false && isListed) stale.push(loc);
  }
  const { url } = capabilityList;
  return [
    ...(missing.length === 0
      ? []
      : [
          {
            url,
            says: `by the Change List these existed when the Resource List was made, which lacks them: ${some(missing)}`,
          },
        ]),
    ...(stale.length === 0
      ? []
      : [
          {
            url,
            says: `by the Change List these were deleted before the Resource List was made, which still has them: ${some(stale)}`,
          },
        ]),
  ];
}

/** What the lists of one set say of the same resources. */
export const rulesOfCoverage: readonly SourceRule[] = [
  {
    id: "S14",
    severity: "warning",
    sentence: "What one capability of a set covers, the others cover as well.",
    source: "ResourceSync 1.1 §9",
    // A list that was not read may be the one that has them.
    check: (source) =>
      source.isComplete
        ? source.digests
            .filter(({ type }) => type === "capability-list")
            .flatMap((digest) => compare(digest, source))
        : [],
  },
];
