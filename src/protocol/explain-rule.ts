import { ruleFacts, ruleIds } from "./all-rules.ts";
import type { Explanation, Explanations, Fragment, NamedProfile } from "./explanation.ts";
import { explanationsOfDiscovery } from "./explanations-of-discovery.ts";
import { explanationsOfInput } from "./explanations-of-input.ts";
import { explanationsOfLinks } from "./explanations-of-links.ts";
import { explanationsOfLists } from "./explanations-of-lists.ts";
import { explanationsOfNotifications } from "./explanations-of-notifications.ts";
import { explanationsOfStructure } from "./explanations-of-structure.ts";
import { explanationsOfTimes } from "./explanations-of-times.ts";
import { explanationsOfValues } from "./explanations-of-values.ts";
import type { Severity } from "./fault.ts";
import type { RuleFacts } from "./rule.ts";

const explanations: Explanations = {
  ...explanationsOfInput,
  ...explanationsOfStructure,
  ...explanationsOfValues,
  ...explanationsOfLinks,
  ...explanationsOfTimes,
  ...explanationsOfNotifications,
  ...explanationsOfLists,
  ...explanationsOfDiscovery,
};

export interface ExplainedRule extends RuleFacts, Omit<Explanation, "severities"> {
  readonly severities: Readonly<Record<NamedProfile, Severity | "none">>;
}

/** Everything that is known about a rule; `undefined` where there is none of this id. */
export function explainRule(id: string): ExplainedRule | undefined {
  const facts = ruleFacts(id);
  const explanation = explanations[id];
  if (facts === undefined || explanation === undefined) return undefined;
  const { severity } = facts;
  const usual = { "1.0.1": severity, "1.0": severity, "0.8": severity, lenient: severity };
  return { ...facts, ...explanation, severities: { ...usual, ...explanation.severities } };
}

/** By family, in the order of the families. */
export function explainedRules(): ExplainedRule[] {
  return ruleIds().flatMap((id) => explainRule(id) ?? []);
}

/** The fragment as a person reads it; a long one with the number of its repetitions. */
export function showFragment(fragment: Fragment): string {
  if (typeof fragment === "string") return fragment === "" ? "(nothing)" : fragment;
  const { before = "", repeat, times, after = "" } = fragment;
  const shown = repeat === " " ? "(a space)" : repeat;
  return `${before}${shown} … (${times.toLocaleString("en")} times) ${after}`.trimEnd();
}
