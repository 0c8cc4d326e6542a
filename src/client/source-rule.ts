import { messageOf, type Severity } from "../protocol/fault.ts";
import type { SourceFinding, WalkedSource } from "./walked-document.ts";

/** A rule that needs several documents of a Source, or what a server answers. */
export interface SourceRule {
  readonly id: string;
  readonly severity: Severity;
  /** One sentence, true of every Source that keeps the rule. */
  readonly sentence: string;
  /** A specification and its section. */
  readonly source: string;
  readonly check: (source: WalkedSource) => readonly SourceComplaint[];
}

export interface SourceComplaint {
  /** The document to mend. */
  readonly url: string;
  /** What is wrong and what to do. */
  readonly says: string;
  /** Where it differs from that of the rule. */
  readonly severity?: Severity;
}

export function findingsOf(rule: SourceRule, source: WalkedSource): SourceFinding[] {
  return rule.check(source).map(({ url, says, severity = rule.severity }) => ({
    rule: rule.id,
    severity,
    message: messageOf(says, rule.source),
    url,
  }));
}
