import { allBut, oneOf } from "./document-type.ts";
import type { Severity } from "./fault.ts";
import { parseInstant, type Instant } from "./instant.ts";
import { core, isTopLevel, type Rule, type RuleFamily, type Complaint } from "./rule.ts";
import type { Entry } from "./sync-document.ts";
import { attributeOf, type XmlElement } from "./xml-element.ts";

/** An attribute as an instant; `undefined` too where V04 speaks of it. */
export function instantOf(element: XmlElement | undefined, attribute: string): Instant | undefined {
  const value = element === undefined ? undefined : attributeOf(element, attribute);
  return value === undefined ? undefined : parseInstant(value);
}

const withoutAt = allBut(
  "resourcelist",
  "resourcelist index",
  "resourcedump",
  "resourcedump index",
  "resourcedump-manifest",
);
const entriesWithoutAt = allBut(
  "resourcelist index",
  "resourcedump",
  "resourcedump index",
  "resourcelist-archive",
  "resourcelist-archive index",
  "resourcedump-archive",
  "resourcedump-archive index",
);
const entriesWithoutFrom = allBut(
  "changelist index",
  "changedump",
  "changedump index",
  "changelist-archive",
  "changelist-archive index",
  "changedump-archive",
  "changedump-archive index",
);
const boundByInterval = oneOf(
  "changelist",
  "changedump-manifest",
  "change-notification",
  "framework-notification",
);
/** The standard is silent on these two. */
export const isSilentOnTimes = oneOf(
  "capabilitylist",
  "capabilitylist index",
  "description",
  "description index",
);

/** Complaints about attributes that the element should not have. */
export function has(
  element: XmlElement | undefined,
  attributes: readonly string[],
  says: (attribute: string) => string,
  severity?: Severity,
): Complaint[] | undefined {
  if (!element?.attributes.some(({ name }) => attributes.includes(name))) return undefined;
  return attributes
    .filter((attribute) => attributeOf(element, attribute) !== undefined)
    .map((attribute) => ({ element, attribute, severity, says: says(attribute) }));
}

function notBefore(id: string, earlier: string, later: string): Rule<XmlElement> {
  return {
    id,
    severity: "error",
    sentence: `${later} is not before ${earlier}.`,
    source: `${core} §7`,
    check: (element) => {
      const [first, second] = [instantOf(element, earlier), instantOf(element, later)];
      if (first === undefined || second === undefined || second >= first) return undefined;
      return { element, attribute: later, says: `"${later}" is before "${earlier}"; are they exchanged?` };
    },
  };
}

/** T02, T05–T08, T11: which times stand where, and how they follow each other. */
export const rulesOfTimes: RuleFamily = {
  ofDocuments: [
    {
      id: "T11",
      severity: "error",
      sentence: "datetime lies in the interval from … until of the document, ends included.",
      source: `${core} §7`,
      applies: ({ type }) => boundByInterval(type),
      check: ({ md: top, entries }) => {
        const [from, until] = [instantOf(top, "from"), instantOf(top, "until")];
        if (from === undefined && until === undefined) return undefined;
        if (from !== undefined && until !== undefined && until < from) return undefined; // T06
        let complaints: Complaint[] | undefined;
        for (const { md: element, datetime: time } of entries) {
          if (element === undefined || time === undefined) continue;
          const early = from !== undefined && time < from;
          if (!early && (until === undefined || time <= until)) continue;
          const [is, document] = early ? ['before "from"', "an earlier"] : ['after "until"', "a later"];
          const says = `"datetime" is ${is} of the top-level rs:md; the change belongs into ${document} document, or one of the times is wrong`;
          (complaints ??= []).push({ element, attribute: "datetime", says });
        }
        return complaints;
      },
    },
  ],
  ofMetadata: [
    {
      id: "T02",
      severity: "error",
      sentence: "The top-level rs:md has neither at nor completed.",
      source: `${core} §7, table 4`,
      applies: ({ type }) => withoutAt(type),
      check: (md, { type }) =>
        isTopLevel(md)
          ? has(
              md,
              ["at", "completed"],
              (name) =>
                `the top-level rs:md of a ${type} has no "${name}"; it is for resource lists and dumps`,
              isSilentOnTimes(type) ? "warning" : undefined,
            )
          : undefined,
    },
    notBefore("T05", "at", "completed"),
    notBefore("T06", "from", "until"),
  ],
  ofEntries: [
    {
      id: "T07",
      severity: "error",
      sentence: "Entries carry neither at nor completed.",
      source: `${core} §7, table 4`,
      applies: ({ type }) => entriesWithoutAt(type),
      check: ({ md }) =>
        has(
          md,
          ["at", "completed"],
          (name) => `rs:md has "${name}", which has no meaning here; leave it out`,
        ),
    },
    {
      id: "T08",
      severity: "error",
      sentence: "Entries carry neither from nor until.",
      source: `${core} §7, table 4`,
      applies: ({ type }) => entriesWithoutFrom(type),
      check: ({ md }) =>
        has(
          md,
          ["from", "until"],
          (name) =>
            `rs:md has "${name}"; the interval stands in the top-level rs:md, an entry has "datetime"`,
        ),
    },
  ],
};

/**
 * Complaints about each entry that is earlier than one before it. Equal times are fine; entries without a time keep
 * their position.
 */
export function backwards(
  entries: readonly Entry[],
  timeOf: (entry: Entry) => Instant | undefined,
  complain: (entry: Entry) => Complaint,
): Complaint[] {
  const complaints: Complaint[] = [];
  let latest: Instant | undefined;
  for (const entry of entries) {
    const time = timeOf(entry);
    if (time === undefined) continue;
    if (latest !== undefined && time < latest) complaints.push(complain(entry));
    else latest = time;
  }
  return complaints;
}
