import { type Fault, messageOf } from "./fault.ts";
import type { Refusal } from "./refusal.ts";
import { type Complaint, isTopLevel, type RuleFacts } from "./rule.ts";
import { rulesOfInput } from "./rules-of-input.ts";
import { pathOf, type Place } from "./source-place.ts";
import type { XmlElement } from "./xml-element.ts";

const maxListed = 100;
const start: Place = { line: 1, column: 1 };

/** How the document was said to break a rule; the hub writes top-level links of its own, so theirs are no obstacle. */
function severityOf({ id, severity }: Omit<RuleFacts, "sentence">, { element, severity: own }: Complaint) {
  return id.startsWith("L") && isTopLevel(element) ? "warning" : (own ?? severity);
}

/** Gathers the faults of a document whose entries are let go one by one, and which is never there as one text. */
export function gatherListFaults() {
  const places = new WeakMap<XmlElement, Place>();
  const errors: Fault[] = [];
  const warnings: Fault[] = [];
  let [countOfErrors, countOfWarnings] = [0, 0];
  let stoppedBy: Refusal["rule"] | undefined;

  return {
    get errors(): number {
      return countOfErrors;
    },
    get stoppedBy(): Refusal["rule"] | undefined {
      return stoppedBy;
    },
    has: (rule: string): boolean => errors.some((fault) => fault.rule === rule),
    /** Where the tag of `element` ends. */
    note(element: XmlElement, place: Place): void {
      places.set(element, place);
    },
    /** `entries` is how many were met so far, the present one included. */
    add(rule: Omit<RuleFacts, "sentence">, complaint: Complaint, entries: number): void {
      if (rule.id === "C13" && entries > 0) return;
      const { element, attribute, says } = complaint;
      const severity = severityOf(rule, complaint);
      const [list, count] =
        severity === "error" ? [errors, (countOfErrors += 1)] : [warnings, (countOfWarnings += 1)];
      if (count > maxListed) return;
      // The entry is the only one in the tree: its number is known only here.
      const path = pathOf(element, attribute).replace(/^(\/[^/]+\/[^/[]+)\[1\]/, `$1[${entries}]`);
      const entry = /^\/[^/]+\/(?:\w+:)?(url|sitemap)\[\d+\]/.exec(path)?.[1];
      const words = entry === undefined ? says : `${entry}[${entries}]: ${says}`;
      list.push({
        rule: rule.id,
        severity,
        message: messageOf(words, rule.source),
        ...(places.get(element) ?? start),
        path,
      });
    },
    /** The document cannot be read on. */
    stop({ rule, says }: Refusal, place: Place): void {
      stoppedBy = rule;
      countOfErrors += 1;
      const source = rulesOfInput.find(({ id }) => id === rule)?.source ?? rule;
      errors.unshift({ rule, severity: "error", message: messageOf(says, source), ...place, path: "" });
    },
    /** Errors first; where there are more than a hundred, the last one counts the rest. */
    list(): readonly Fault[] {
      const all = [...errors, ...warnings].slice(0, maxListed);
      const rest = countOfErrors + countOfWarnings - all.length;
      if (rest === 0) return all;
      const message = `${rest} more faults are not listed`;
      return [...all, { rule: "more", severity: "warning", message, ...start, path: "" }];
    },
  };
}
