import { rulesOfChannels } from "./rules-of-channels.ts";
import { rulesOfCoverage } from "./rules-of-coverage.ts";
import { rulesOfIndexes } from "./rules-of-indexes.ts";
import { rulesOfLinkedTypes } from "./rules-of-linked-types.ts";
import { rulesOfPackages } from "./rules-of-packages.ts";
import { findingsOf, type SourceRule } from "./source-rule.ts";
import { type Visit, withoutFragment } from "./visit-document.ts";
import type { Digest, SourceFinding } from "./walked-document.ts";

const rules: readonly SourceRule[] = [
  ...rulesOfLinkedTypes,
  ...rulesOfIndexes,
  ...rulesOfPackages,
  ...rulesOfChannels,
  ...rulesOfCoverage,
].toSorted((a, b) => (a.id < b.id ? -1 : 1));

export const sourceRuleIds = (): string[] => rules.map(({ id }) => id);

/** What the rule with this id demands, and which section says so. */
export function sourceRuleFacts(id: string): Omit<SourceRule, "check"> | undefined {
  return rules.find((rule) => rule.id === id);
}

interface Seen {
  readonly start: string;
  readonly wellKnown: string;
  readonly visits: readonly Visit[];
  readonly isComplete: boolean;
}

/** Holds what a walk has seen against every rule that needs more than one document. */
export function checkSource({ start, wellKnown, visits, isComplete }: Seen): SourceFinding[] {
  const places = new Map<string, Digest>();
  for (const { digest } of visits) {
    if (digest !== undefined) places.set(digest.url, digest).set(digest.finalUrl, digest);
  }
  const source = {
    start,
    wellKnown,
    // Two URLs that lead to one document are one document.
    digests: [...new Set(places.values())].filter((digest) => places.get(digest.finalUrl) === digest),
    topics: visits.flatMap(({ topic }) => topic ?? []),
    packages: new Map(
      visits.flatMap(({ document, packaged }) => (packaged === undefined ? [] : [[document.url, packaged]])),
    ),
    find: (url: string) => (URL.canParse(url) ? places.get(withoutFragment(url)) : undefined),
    isComplete,
  };
  return rules.flatMap((rule) => findingsOf(rule, source));
}
