import type { Explanations } from "./explanation.ts";

const of = (capability: string, times: string): string => `<rs:md capability="${capability}" ${times}/>`;
const changed = (datetime: string): string =>
  `<url><loc>https://maps.example.org/a</loc><rs:md change="updated" datetime="${datetime}"/></url>`;

export const explanationsOfTimes: Explanations = {
  T01: {
    why: "A Destination reads the changes since this moment; without it, it does not know where to begin.",
    place: "md of resource-list",
    valid: of("resourcelist", 'at="2026-03-02T08:00:00Z"'),
    invalid: of("resourcelist", 'from="2026-03-02T08:00:00Z"'),
    severities: { lenient: "warning" },
  },
  T02: {
    why: "A list of changes covers a span, which has a beginning (from) and perhaps an end (until), not a moment.",
    place: "md of change-list",
    valid: of("changelist", 'from="2026-03-02T00:00:00Z"'),
    invalid: of("changelist", 'from="2026-03-02T00:00:00Z" at="2026-03-02T00:00:00Z"'),
  },
  T03: {
    why: "A Destination compares it with what it has read, to know whether changes are missing in between.",
    place: "md of change-list",
    valid: of("changelist", 'from="2026-03-02T00:00:00Z"'),
    invalid: of("changelist", 'until="2026-03-03T00:00:00Z"'),
  },
  T04: {
    why: "The attributes from and until promise that every change of a span is listed; this document lists none.",
    place: "md of resource-list",
    valid: of("resourcelist", 'at="2026-03-02T08:00:00Z"'),
    invalid: of("resourcelist", 'from="2026-03-02T08:00:00Z"'),
    severities: { lenient: "warning" },
  },
  T05: {
    why: "A snapshot ends after it begins; exchanged times make Destinations skip changes.",
    place: "md of resource-list",
    valid: of("resourcelist", 'at="2026-03-02T08:00:00Z" completed="2026-03-02T08:05:00Z"'),
    invalid: of("resourcelist", 'at="2026-03-02T08:05:00Z" completed="2026-03-02T08:00:00Z"'),
  },
  T06: {
    why: "A span ends after it begins; exchanged times make Destinations skip changes.",
    place: "md of change-list",
    valid: of("changelist", 'from="2026-03-02T00:00:00Z" until="2026-03-03T00:00:00Z"'),
    invalid: of("changelist", 'from="2026-03-03T00:00:00Z" until="2026-03-02T00:00:00Z"'),
  },
  T07: {
    why: "The moment of the snapshot stands at the top, once for all entries.",
    place: "entry of resource-list",
    valid: '<rs:md length="5"/>',
    invalid: '<rs:md at="2026-03-02T08:00:00Z"/>',
  },
  T08: {
    why: "The span stands at the top, once for all entries; an entry has the moment of its change, datetime.",
    place: "entry of change-list",
    valid: '<rs:md change="updated" datetime="2026-03-02T08:00:00Z"/>',
    invalid: '<rs:md change="updated" from="2026-03-02T08:00:00Z"/>',
  },
  T09: {
    why: "By it a Destination sees which lists or packages it has read already, without fetching them.",
    place: "entry of change-list-index",
    valid: '<rs:md from="2026-03-02T00:00:00Z" until="2026-03-03T00:00:00Z"/>',
    invalid: "",
  },
  T10: {
    why: "The document promises a span; a part of it that reaches beyond was put into the wrong index, or one of the times is wrong.",
    place: "entry of change-list-index",
    valid: '<rs:md from="2026-03-02T00:00:00Z" until="2026-03-03T00:00:00Z"/>',
    invalid: '<rs:md from="2026-02-28T00:00:00Z" until="2026-03-03T00:00:00Z"/>',
  },
  T11: {
    why: "A Destination that has read up to until does not look at the list again: a change outside the span is missed.",
    place: "entries of change-list",
    valid: changed("2026-03-02T08:00:00Z"),
    invalid: changed("2026-02-28T08:00:00Z"),
  },
  T12: {
    why: "Destinations apply the entries from first to last: in another order, a resource ends in an older state. In a change dump manifest the standard says should, so there it is a warning.",
    place: "entries of change-list",
    valid: changed("2026-03-02T08:00:00Z") + changed("2026-03-02T09:00:00Z"),
    invalid: changed("2026-03-02T09:00:00Z") + changed("2026-03-02T08:00:00Z"),
  },
};
