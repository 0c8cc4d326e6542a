import { type Fault, messageOf, type Severity } from "./fault.ts";
import type { Complaint, RuleFacts } from "./rule.ts";
import { entryNameOf, offsetOf, pathOf, placesOf } from "./source-place.ts";
import type { XmlElement } from "./xml-element.ts";

/** What a person can take in at once; the last one says how many there are besides. */
const maxListed = 100;

interface Finding {
  readonly rule: RuleFacts;
  readonly severity: Severity;
  readonly complaint: Complaint;
}

export interface Findings {
  add(rule: RuleFacts, complaint: Complaint): void;
  errorCount(): number;
  /** In document order. Where there are too many, errors are kept first, and a last fault counts the rest. */
  list(text: string): Fault[];
}

function wordsOf({ rule, complaint }: Finding): string {
  const entry = entryNameOf(complaint.element);
  return messageOf(entry === undefined ? complaint.says : `${entry}: ${complaint.says}`, rule.source);
}

function faultsOf(text: string, findings: readonly Finding[]): Fault[] {
  const located = findings
    .map((finding) => {
      const { element, attribute } = finding.complaint;
      return { finding, offset: offsetOf(text, element, attribute) };
    })
    .toSorted((a, b) => a.offset - b.offset);
  const places = placesOf(
    text,
    located.map(({ offset }) => offset),
  );
  return located.map(({ finding }, index) => ({
    rule: finding.rule.id,
    severity: finding.severity,
    message: wordsOf(finding),
    ...(places[index] ?? { line: 1, column: 1 }),
    path: pathOf(finding.complaint.element, finding.complaint.attribute),
  }));
}

function countOfTheRest(errors: number, warnings: number, root: XmlElement, at: Fault | undefined): Fault {
  const [severity, count]: [Severity, number] = errors > 0 ? ["error", errors] : ["warning", warnings];
  const message =
    errors > 0
      ? `${count} more errors and ${warnings} more warnings are not listed`
      : `${count} more warnings are not listed`;
  return {
    rule: "more",
    severity,
    message,
    line: at?.line ?? 1,
    column: at?.column ?? 1,
    path: pathOf(root),
  };
}

/** Keeps no more than can be listed, however many there are. */
export function gatherFindings(root: XmlElement): Findings {
  const errors: Finding[] = [];
  const warnings: Finding[] = [];
  const counts = { error: 0, warning: 0 };
  return {
    add(rule, complaint) {
      const severity = complaint.severity ?? rule.severity;
      const kept = severity === "error" ? errors : warnings;
      counts[severity] += 1;
      if (kept.length < maxListed) kept.push({ rule, severity, complaint });
    },
    // No accessor: V8 makes a hidden class for each object literal that has one, and it holds the document until a full collection.
    errorCount: () => counts.error,
    list(text) {
      const all = counts.error + counts.warning;
      if (all <= maxListed) return faultsOf(text, [...errors, ...warnings]);
      const listed = [...errors, ...warnings].slice(0, maxListed - 1);
      const listedErrors = Math.min(errors.length, listed.length);
      const faults = faultsOf(text, listed);
      const restOfErrors = counts.error - listedErrors;
      const restOfWarnings = counts.warning - (listed.length - listedErrors);
      return [...faults, countOfTheRest(restOfErrors, restOfWarnings, root, faults.at(-1))];
    },
  };
}
