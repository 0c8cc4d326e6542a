import type { DocumentType } from "./document-type.ts";
import { archives, core, type Complaint, type Rule, type RuleFamily } from "./rule.ts";
import type { Entry } from "./sync-document.ts";
import { attributeOf } from "./xml-element.ts";

/** A rule that each entry of a type says created, updated or deleted: Change Lists and their kin. */
export function saysChange(id: string, type: DocumentType, source: string): Rule<Entry> {
  return {
    id,
    severity: "error",
    sentence: `Each entry of a ${type} has rs:md with change.`,
    source,
    applies: (standing) => standing.type === type,
    check: ({ element, md }): Complaint | undefined => {
      if (md === undefined) {
        return { element, says: 'no rs:md; write <rs:md change="updated"/>, or created, or deleted' };
      }
      return attributeOf(md, "change") === undefined
        ? { element: md, says: 'rs:md has no "change" attribute; say created, updated or deleted' }
        : undefined;
    },
  };
}

/** CL and AR: change lists and archives. */
export const rulesOfLists: RuleFamily = {
  ofEntries: [
    saysChange("CL01", "changelist", `${core} §12.1`),
    {
      id: "CL02",
      severity: "warning",
      sentence: "Each entry of a changelist has datetime, the time of the change.",
      source: `${core} §12.1`,
      applies: ({ type }) => type === "changelist",
      check: ({ element, md }) =>
        md === undefined || attributeOf(md, "datetime") === undefined
          ? {
              element: md ?? element,
              says: 'rs:md has no "datetime" attribute; with it a reader knows which changes it has read before',
            }
          : undefined,
    },
    {
      id: "AR01",
      severity: "warning",
      sentence: "The entries of an index of archives have no lastmod.",
      source: `${archives} §3.1`,
      applies: ({ type }) => type.endsWith("-archive index"),
      check: ({ lastmod: element }) =>
        element === undefined
          ? undefined
          : { element, says: "<lastmod> is not used in an index of archives; leave it out" },
    },
  ],
};
