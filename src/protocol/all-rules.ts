import type { Judged, Rule, RuleFacts, RuleFamily, Standing } from "./rule.ts";
import { rulesOfCapabilityLists } from "./rules-of-capability-lists.ts";
import { rulesOfChangeNotifications } from "./rules-of-change-notifications.ts";
import { rulesOfDatetimes } from "./rules-of-datetimes.ts";
import { rulesOfDumps } from "./rules-of-dumps.ts";
import { rulesOfEntries } from "./rules-of-entries.ts";
import { rulesOfFrameworkNotifications } from "./rules-of-framework-notifications.ts";
import { rulesOfHashes } from "./rules-of-hashes.ts";
import { rulesOfInput } from "./rules-of-input.ts";
import { rulesOfLinks } from "./rules-of-links.ts";
import { rulesOfLists } from "./rules-of-lists.ts";
import { rulesOfNames } from "./rules-of-names.ts";
import { rulesOfNotifications } from "./rules-of-notifications.ts";
import { rulesOfRequiredTimes } from "./rules-of-required-times.ts";
import { rulesOfSequences } from "./rules-of-sequences.ts";
import { rulesOfSourceDescriptions } from "./rules-of-source-descriptions.ts";
import { rulesOfStructure } from "./rules-of-structure.ts";
import { rulesOfTimes } from "./rules-of-times.ts";
import { rulesOfValues } from "./rules-of-values.ts";

const families: readonly RuleFamily[] = [
  rulesOfNames,
  rulesOfStructure,
  rulesOfEntries,
  rulesOfValues,
  rulesOfDatetimes,
  rulesOfHashes,
  rulesOfLinks,
  rulesOfTimes,
  rulesOfRequiredTimes,
  rulesOfSequences,
  rulesOfNotifications,
  rulesOfChangeNotifications,
  rulesOfFrameworkNotifications,
  rulesOfLists,
  rulesOfDumps,
  rulesOfCapabilityLists,
  rulesOfSourceDescriptions,
];

/** The rules that apply to one document, by what they look at. */
export type ApplicableRules = Required<RuleFamily>;

function applicable(asked: readonly RuleFamily[], standing: Standing): ApplicableRules {
  const select = <Subject>(rules: readonly Rule<Subject>[] | undefined): readonly Rule<Subject>[] =>
    (rules ?? []).filter((rule) => rule.applies === undefined || rule.applies(standing));
  return {
    ofDocuments: asked.flatMap((family) => select(family.ofDocuments)),
    ofElements: asked.flatMap((family) => select(family.ofElements)),
    ofEntries: asked.flatMap((family) => select(family.ofEntries)),
    ofMetadata: asked.flatMap((family) => select(family.ofMetadata)),
    ofLinks: asked.flatMap((family) => select(family.ofLinks)),
  };
}

const selected = new Map<string, ApplicableRules>();

/** Selected once for each document type and profile. */
export function rulesFor({ type, profile, document }: Judged): ApplicableRules {
  // A root that is neither urlset nor sitemapindex would break nearly every rule: one word is enough.
  const hasForm = document.form !== undefined;
  const key = `${type} ${profile} ${hasForm}`;
  const rules = selected.get(key) ?? applicable(hasForm ? families : [rulesOfNames], { type, profile });
  selected.set(key, rules);
  return rules;
}

const factsById: ReadonlyMap<string, RuleFacts> = new Map(
  [...rulesOfInput, ...families.flatMap((family) => Object.values(family).flat())].map((facts: RuleFacts) => [
    facts.id,
    facts,
  ]),
);

/** What the rule with this id demands, and which section says so. */
export function ruleFacts(id: string): RuleFacts | undefined {
  return factsById.get(id);
}

/** Of every rule that one document can break. */
export function ruleIds(): readonly string[] {
  return [...factsById.keys()];
}
