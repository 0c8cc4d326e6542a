import { type DocumentType, oneOf } from "./document-type.ts";
import type { Instant } from "./instant.ts";
import { type Complaint, core, type RuleFamily } from "./rule.ts";
import { backwards, instantOf } from "./rules-of-times.ts";
import type { Entry } from "./sync-document.ts";
import { attributeOf, type XmlElement } from "./xml-element.ts";

const byDatetime = oneOf("changelist", "changedump-manifest");
const byFrom = oneOf(
  "changelist index",
  "changedump index",
  "changelist-archive",
  "changelist-archive index",
  "changedump-archive",
  "changedump-archive index",
);
/** §13.2 says should where §12.1 and §12.2 say must; §13.1 treats its index as §12.2 does. */
const shouldRunForward = oneOf("changedump-manifest");
const withIntervals = oneOf("changelist index", "changedump", "changedump index");
const indexes = oneOf("changelist index", "changedump index");

const fromOf = ({ md }: Entry): Instant | undefined => instantOf(md, "from");

function outOfTurn(attribute: string): (entry: Entry) => Complaint {
  return ({ element, md }) => ({
    element: md ?? element,
    attribute,
    says: `"${attribute}" is earlier than that of an entry before; put the oldest first`,
  });
}

function backwardsIn(type: DocumentType, entries: readonly Entry[]): Complaint[] {
  const complaints = byDatetime(type)
    ? backwards(entries, ({ datetime }) => datetime, outOfTurn("datetime"))
    : backwards(entries, fromOf, outOfTurn("from"));
  return shouldRunForward(type)
    ? complaints.map((complaint) => ({ ...complaint, severity: "warning" as const }))
    : complaints;
}

function outside(top: XmlElement | undefined, md: XmlElement): Complaint[] {
  const [from, until] = [instantOf(top, "from"), instantOf(top, "until")];
  return ["from", "until"].flatMap((attribute) => {
    const time = instantOf(md, attribute);
    if (time === undefined) return [];
    const early = from !== undefined && time < from;
    if (!early && (until === undefined || time <= until)) return [];
    const says = `"${attribute}" is ${early ? 'before "from"' : 'after "until"'} of the top-level rs:md`;
    return [{ element: md, attribute, says }];
  });
}

const isOpen = ({ md }: Entry): boolean =>
  md !== undefined && attributeOf(md, "from") !== undefined && attributeOf(md, "until") === undefined;

/** T10, T12, CLI, CD02: what follows what. */
export const rulesOfSequences: RuleFamily = {
  ofDocuments: [
    {
      id: "T12",
      severity: "error",
      sentence: "Entries run forward in time: changes by datetime, lists and archived documents by from.",
      source: `${core} §12.1, §12.2, §13.2`,
      applies: ({ type }) => byDatetime(type) || byFrom(type),
      check: ({ entries }, { type }) => backwardsIn(type, entries),
    },
    {
      id: "CD02",
      severity: "warning",
      sentence: "The packages of a change dump run forward in time.",
      source: `${core} §13.1`,
      applies: ({ type }) => type === "changedump",
      check: ({ entries }) => backwards(entries, fromOf, outOfTurn("from")),
    },
    {
      id: "CLI01",
      severity: "warning",
      sentence: "In an index only the last list can be open, that is, have from and no until.",
      source: `${core} §12.2`,
      applies: ({ type }) => indexes(type),
      check: ({ entries }) =>
        entries
          .slice(0, -1)
          .filter(isOpen)
          .map(({ element, md }) => ({
            element: md ?? element,
            says: 'an earlier list has no "until"; a list that another one follows is closed, so say until when it reaches',
          })),
    },
    {
      id: "CLI02",
      severity: "warning",
      sentence: "A closed index, which has until, ends with a closed list.",
      source: `${core} §7, §12.2`,
      applies: ({ type }) => indexes(type),
      check: ({ md: top, entries }) => {
        const last = entries.at(-1);
        if (top === undefined || attributeOf(top, "until") === undefined) return undefined;
        if (last?.md === undefined || !isOpen(last)) return undefined;
        const says =
          'the last list has no "until", but the index has one and so never changes again; one of the two is wrong';
        return { element: last.md, says };
      },
    },
  ],
  ofEntries: [
    {
      id: "T10",
      severity: "warning",
      sentence: "from and until of an entry lie inside those of the document.",
      source: `${core} §12.2, §13.1`,
      applies: ({ type }) => withIntervals(type),
      check: ({ md }, { document }) => (md === undefined ? undefined : outside(document.md, md)),
    },
  ],
};
