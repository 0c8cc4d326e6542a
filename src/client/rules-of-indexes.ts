import { normalRelation } from "../protocol/link-relations.ts";
import { targetsOf } from "./links-to-follow.ts";
import type { SourceComplaint, SourceRule } from "./source-rule.ts";
import type { Digest, WalkedSource } from "./walked-document.ts";
import { millisecondsOf } from "../protocol/instant.ts";

const lists = new Set(["resource-list", "change-list", "resource-dump", "change-dump"]);

interface Component {
  readonly index: Digest;
  readonly component: Digest;
  /** Of the index's entry for it. */
  readonly until: string | undefined;
}

/** Each list that an index of its own kind names. */
function componentsOf({ digests, find }: WalkedSource): Component[] {
  return digests.flatMap((index) =>
    index.entries.flatMap(({ loc, metadata }) => {
      const component = find(loc);
      const isIts = component !== undefined && index.type === `${component.type}-index`;
      return isIts ? [{ index, component, until: metadata?.until?.text }] : [];
    }),
  );
}

function checkIndexLink(source: WalkedSource): SourceComplaint[] {
  return componentsOf(source).flatMap(({ index, component }) => {
    if (!lists.has(component.type)) return [];
    const targets = targetsOf(component.links, "index");
    if (targets.some((target) => source.find(target) === index)) return [];
    const wrong = targets[0] === undefined ? "no index link" : `an index link to ${targets[0]}`;
    const says = `it is listed in the index ${index.url}, but has ${wrong}; write <rs:ln rel="index" href="${index.url}"/>`;
    return [{ url: component.url, says }];
  });
}

function checkClosed(source: WalkedSource): SourceComplaint[] {
  return componentsOf(source).flatMap(({ index, component, until }) => {
    if (index.type !== "change-list-index") return [];
    const closed = component.metadata?.until?.text;
    if ((closed === undefined) === (until === undefined)) return [];
    const says =
      closed === undefined
        ? `the entry for ${component.url} has until="${until}", but that list is still open; take until out`
        : `${component.url} was closed at ${closed}; its entry here lacks until="${closed}"`;
    return [{ url: index.url, says }];
  });
}

function checkFuture({ digests }: WalkedSource): SourceComplaint[] {
  return digests.flatMap(({ type, url, metadata, fetchedAt }) => {
    const until = metadata?.until;
    if (until?.instant === undefined || !/^change-(list|dump)(-index)?$/.test(type)) return [];
    // A minute, since clocks differ.
    if (millisecondsOf(until.instant) <= fetchedAt + 60_000) return [];
    const says = `until="${until.text}" is still to come, so the document cannot be closed; leave until out while it grows`;
    return [{ url, says }];
  });
}

function checkGrouped(source: WalkedSource): SourceComplaint[] {
  const inIndex = new Set(componentsOf(source).map(({ component }) => component));
  const sets = new Map<string, Digest[]>();
  const paged: SourceComplaint[] = [];
  for (const digest of source.digests.filter(({ type }) => lists.has(type))) {
    const next = digest.links.find(({ rel }) => normalRelation(rel) === "next");
    if (next !== undefined) {
      const says = `it goes on at ${next.href} by rel="next", which no client follows; list all pages in an index`;
      paged.push({ url: digest.url, says });
    }
    const [up] = targetsOf(digest.links, "up");
    if (up === undefined || inIndex.has(digest)) continue;
    const key = `${digest.type} ${up}`;
    sets.set(key, [...(sets.get(key) ?? []), digest]);
  }
  const loose = [...sets.values()].flatMap((group) => {
    const [first, second] = group;
    if (first === undefined || second === undefined) return [];
    const says = `${group.length} documents of type ${first.type} belong to the same set, such as ${second.url}, without an index; list them in one`;
    return [{ url: first.url, says }];
  });
  return [...paged, ...loose];
}

/** Lists and their indexes. */
export const rulesOfIndexes: readonly SourceRule[] = [
  {
    id: "S10",
    severity: "warning",
    sentence: "A list under an index has a top-level index link to it.",
    source: "ResourceSync 1.1 §10.1, §11.1, §12.1, §13.1",
    check: checkIndexLink,
  },
  {
    id: "S12",
    severity: "error",
    sentence: "A document with until is closed and never changes again.",
    source: "ResourceSync 1.1 §7, §12.1",
    check: checkFuture,
  },
  {
    id: "S13",
    severity: "error",
    sentence: "An entry of a Change List Index has until exactly when the list that it names has one.",
    source: "ResourceSync 1.1 §12.2",
    check: checkClosed,
  },
  {
    id: "S16",
    severity: "error",
    sentence: "Several lists of one kind for one set are grouped by an index.",
    source: "ResourceSync 1.1 §10.2, §11.1, §12.2, §13.1",
    check: checkGrouped,
  },
];
