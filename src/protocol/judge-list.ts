import { rulesFor } from "./all-rules.ts";
import type { DocumentType } from "./document-type.ts";
import type { Complaint, Judged, Rule, RuleFacts } from "./rule.ts";
import { type Entry, formOf, type SyncDocument, syncDocumentOf } from "./sync-document.ts";
import type { XmlElement } from "./xml-element.ts";

export interface ListJudge {
  entry(entry: Entry): void;
  /** The root without its entries, when all else of it is there. */
  document(): SyncDocument;
}

export type ListCapability = "resourcelist" | "changelist";

/** Every rule that one entry, or the top of a list, can break; what needs all entries at once is not asked. */
export function judgeList(
  root: XmlElement,
  capability: ListCapability,
  complain: (rule: RuleFacts, complaint: Complaint) => void,
): ListJudge {
  const type: DocumentType = formOf(root) === "sitemapindex" ? `${capability} index` : capability;
  const judgedAsItIs = (): Judged => ({
    document: syncDocumentOf({ root, strays: [], narrowEncoding: undefined }),
    type,
    profile: "1.0.1",
    lenient: false,
    wanted: undefined,
  });
  const atOpening = judgedAsItIs();
  const rules = rulesFor(atOpening);

  function apply<Subject>(to: Subject, each: readonly Rule<Subject>[], judged: Judged): void {
    for (const rule of each) {
      // It asks for a notification; that this is the list that is wanted is asked by whoever reads it.
      if (rule.id === "S01") continue;
      const complaints = rule.check(to, judged);
      if (complaints === undefined) continue;
      for (const complaint of "says" in complaints ? [complaints] : complaints) complain(rule, complaint);
    }
  }
  function applyBelow(element: XmlElement, judged: Judged): void {
    apply(element, rules.ofElements, judged);
    for (const child of element.children) applyBelow(child, judged);
  }
  function applyToOwn({ md, links }: SyncDocument | Entry, judged: Judged): void {
    if (md !== undefined) apply(md, rules.ofMetadata, judged);
    for (const link of links) apply(link, rules.ofLinks, judged);
  }
  return {
    entry(entry) {
      apply(entry, rules.ofEntries, atOpening);
      applyToOwn(entry, atOpening);
      applyBelow(entry.element, atOpening);
    },
    document() {
      const judged = judgedAsItIs();
      apply(judged.document, rules.ofDocuments, judged);
      applyToOwn(judged.document, judged);
      applyBelow(root, judged);
      return judged.document;
    },
  };
}
