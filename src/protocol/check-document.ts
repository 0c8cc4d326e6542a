import { rulesFor } from "./all-rules.ts";
import { type Findings, gatherFindings } from "./findings.ts";
import type { Judged, Rule } from "./rule.ts";
import type { Entry, SyncDocument } from "./sync-document.ts";
import type { XmlElement } from "./xml-element.ts";

/** Holds a document against every rule that applies to it. */
export function checkDocument(judged: Judged): Findings {
  const { document } = judged;
  const rules = rulesFor(judged);
  const findings = gatherFindings(document.root);

  function apply<Subject>(to: Subject, each: readonly Rule<Subject>[]): void {
    for (const rule of each) {
      const complaints = rule.check(to, judged);
      if (complaints === undefined) continue;
      if ("says" in complaints) findings.add(rule, complaints);
      else for (const complaint of complaints) findings.add(rule, complaint);
    }
  }
  function applyBelow(element: XmlElement): void {
    apply(element, rules.ofElements);
    for (const child of element.children) applyBelow(child);
  }
  function applyToOwn({ md, links }: SyncDocument | Entry): void {
    if (md !== undefined) apply(md, rules.ofMetadata);
    for (const link of links) apply(link, rules.ofLinks);
  }

  apply(document, rules.ofDocuments);
  applyToOwn(document);
  for (const entry of document.entries) {
    apply(entry, rules.ofEntries);
    applyToOwn(entry);
  }
  applyBelow(document.root);
  for (const stray of document.strays) applyBelow(stray);
  return findings;
}
