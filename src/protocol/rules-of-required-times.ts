import { allBut, type DocumentType, oneOf } from "./document-type.ts";
import type { Severity } from "./fault.ts";
import { type Complaint, core, type RuleFamily } from "./rule.ts";
import { has, isSilentOnTimes } from "./rules-of-times.ts";
import type { SyncDocument } from "./sync-document.ts";
import { attributeOf } from "./xml-element.ts";

const snapshots = oneOf(
  "resourcelist",
  "resourcelist index",
  "resourcedump",
  "resourcedump index",
  "resourcedump-manifest",
);
const histories = oneOf(
  "changelist",
  "changelist index",
  "changedump",
  "changedump index",
  "changedump-manifest",
);
const withoutInterval = allBut(
  "changelist",
  "changelist index",
  "changedump",
  "changedump index",
  "changedump-manifest",
  "change-notification",
  "framework-notification",
);
const indexesByTime = oneOf("changelist index", "changedump", "changedump index");

function lacksTime(
  { md: element }: SyncDocument,
  attribute: string,
  why: string,
  severity?: Severity,
): Complaint | undefined {
  if (element === undefined || attributeOf(element, attribute) !== undefined) return undefined; // C01
  const says = `the top-level rs:md has no "${attribute}"; ${why}`;
  return { element, severity, says };
}

/** Core 0.9 gave the time of a snapshot as `from`, where 1.1 has `at`. */
function isForm09({ md }: SyncDocument): boolean {
  return md !== undefined && attributeOf(md, "from") !== undefined && attributeOf(md, "at") === undefined;
}

const severityWhereSilent = (type: DocumentType, isOlder: boolean): Severity | undefined =>
  isSilentOnTimes(type) || isOlder ? "warning" : undefined;

/** T01, T03, T04, T09: the times that a document must or must not have. */
export const rulesOfRequiredTimes: RuleFamily = {
  ofDocuments: [
    {
      id: "T01",
      severity: "error",
      sentence: "The top-level rs:md of resource lists, resource dumps and their manifests has at.",
      source: `${core} §7, table 4`,
      applies: ({ type }) => snapshots(type),
      check: (document, { lenient }) => {
        const isOlder = lenient && isForm09(document);
        const why = 'say when the snapshot was begun, such as at="2026-01-31T09:30:00Z"';
        return lacksTime(document, "at", why, isOlder ? "warning" : undefined);
      },
    },
    {
      id: "T03",
      severity: "error",
      sentence: "The top-level rs:md of change lists, change dumps and their manifests has from.",
      source: `${core} §7, table 4`,
      applies: ({ type }) => histories(type),
      check: (document) =>
        lacksTime(
          document,
          "from",
          'say since when every change is listed, such as from="2026-01-31T00:00:00Z"',
        ),
    },
    {
      id: "T04",
      severity: "error",
      sentence: "Only what tells of changes has from and until in its top-level rs:md.",
      source: `${core} §7, table 4`,
      applies: ({ type }) => withoutInterval(type),
      check: (document, { type, lenient }) =>
        has(
          document.md,
          ["from", "until"],
          (name) =>
            snapshots(type)
              ? `the top-level rs:md has "${name}"; a ${type} is of one moment, which is written as "at"`
              : `the top-level rs:md of a ${type} has no "${name}"; it is for lists of changes`,
          severityWhereSilent(type, lenient && isForm09(document)),
        ),
    },
  ],
  ofEntries: [
    {
      id: "T09",
      severity: "warning",
      sentence: "Each entry of a change dump, or of an index of change lists or dumps, has from.",
      source: `${core} table 4`,
      applies: ({ type }) => indexesByTime(type),
      check: ({ element, md }) =>
        md === undefined || attributeOf(md, "from") === undefined
          ? {
              element: md ?? element,
              says: 'rs:md with "from" is missing; it spares readers what they have read before',
            }
          : undefined,
    },
  ],
};
