import { type ApplicableRules, rulesFor } from "./all-rules.ts";
import { type Findings, gatherFindings } from "./findings.ts";
import type { Judged, Rule } from "./rule.ts";
import type { Entry, SyncDocument } from "./sync-document.ts";
import type { XmlElement } from "./xml-element.ts";

class DocumentCheck {
  readonly #judged: Judged;
  readonly #rules: ApplicableRules;
  readonly findings: Findings;

  constructor(judged: Judged) {
    this.#judged = judged;
    this.#rules = rulesFor(judged);
    this.findings = gatherFindings(judged.document.root);
  }

  #apply<Subject>(to: Subject, each: readonly Rule<Subject>[]): void {
    for (const rule of each) {
      const complaints = rule.check(to, this.#judged);
      if (complaints === undefined) continue;
      if ("says" in complaints) this.findings.add(rule, complaints);
      else for (const complaint of complaints) this.findings.add(rule, complaint);
    }
  }

  toDocument(document: SyncDocument): void {
    this.#apply(document, this.#rules.ofDocuments);
    this.#toOwn(document);
  }

  toEntry(entry: Entry): void {
    this.#apply(entry, this.#rules.ofEntries);
    this.#toOwn(entry);
  }

  #toOwn({ md, links }: SyncDocument | Entry): void {
    if (md !== undefined) this.#apply(md, this.#rules.ofMetadata);
    for (const link of links) this.#apply(link, this.#rules.ofLinks);
  }

  toElements(element: XmlElement): void {
    this.#apply(element, this.#rules.ofElements);
    for (const child of element.children) this.toElements(child);
  }
}

/** Holds a document against every rule that applies to it. */
export function checkDocument(judged: Judged): Findings {
  const check = new DocumentCheck(judged);
  const { document } = judged;
  check.toDocument(document);
  for (const entry of document.entries) check.toEntry(entry);
  check.toElements(document.root);
  for (const stray of document.strays) check.toElements(stray);
  return check.findings;
}
