import type { Explanations } from "./explanation.ts";

const interval = 'from="2026-03-02T08:00:00Z" until="2026-03-02T08:15:00Z"';
const md = (capability: string, times = interval): string => `<rs:md capability="${capability}" ${times}/>`;
const up = '<rs:ln rel="up" href="https://maps.example.org/capabilitylist.xml"/>';
const url = (attributes: string, before = ""): string =>
  `<url><loc>https://maps.example.org/a</loc>${before}<rs:md ${attributes}/></url>`;
const lastmod = "<lastmod>2026-03-02T08:04:00Z</lastmod>";
const wholeOf = (root: string, capability: string): string =>
  `<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">${md(capability)}</${root}>`;

/** Rules of 1.0 and 1.0.1, and rules of 0.8. */
const notIn08 = { "0.8": "none" } as const;
const only08 = { "1.0.1": "none", "1.0": "none", lenient: "none" } as const;

export const explanationsOfNotifications: Explanations = {
  S01: {
    why: "Whoever asked for one type cannot use another; a subscriber to changes of resources would take documents for resources.",
    place: "md of change-notification",
    valid: md("change-notification"),
    invalid: md("framework-notification"),
  },
  CN01: {
    why: "A subscriber receives one document at a time and never fetches the parts of an index.",
    place: "document",
    valid: wholeOf("urlset", "change-notification"),
    invalid: wholeOf("sitemapindex", "change-notification"),
  },
  CN02: {
    why: "Adjoining intervals show a Destination that it missed nothing; without them a lost notification goes unnoticed.",
    place: "md of change-notification",
    valid: md("change-notification"),
    invalid: md("change-notification", ""),
    severities: { ...notIn08, lenient: "warning" },
  },
  CN03: {
    why: "Without it a Destination does not know whether to fetch the resource or to remove it.",
    place: "entries of change-notification",
    valid: url('change="updated" datetime="2026-03-02T08:04:00Z"'),
    invalid: url('datetime="2026-03-02T08:04:00Z"'),
  },
  CN04: {
    why: "Without it nobody can tell the order of changes that came by different ways, or a repeat from a new change.",
    place: "entries of change-notification",
    valid: url('change="updated" datetime="2026-03-02T08:04:00Z"'),
    invalid: url('change="updated"'),
    severities: notIn08,
  },
  CN05: {
    why: "Destinations apply the entries from first to last: in another order, a resource ends in an older state.",
    place: "entries of change-notification",
    valid: url('change="created"', lastmod) + url('change="updated"', lastmod),
    invalid:
      url('change="updated" datetime="2026-03-02T08:09:00Z"', lastmod.replace("08:04", "08:09")) +
      url('change="updated" datetime="2026-03-02T08:04:00Z"', lastmod),
  },
  CN06: {
    why: "What is deleted has no bytes; these attributes describe what can no longer be fetched.",
    place: "entries of change-notification",
    valid: url('change="deleted" datetime="2026-03-02T08:04:00Z"'),
    invalid: url('change="deleted" datetime="2026-03-02T08:04:00Z" length="5"'),
  },
  CN07: {
    why: "Under 0.8 it is the only time that an entry has, and readers order the changes by it.",
    place: "entries of change-notification",
    valid: url('change="updated"', lastmod),
    invalid: url('change="updated"'),
    severities: only08,
  },
  CN08: {
    why: "Readers of 1.0.1 compare with change-notification and take this for another kind of document.",
    place: "md of change-notification",
    valid: md("framework-notification"),
    invalid: md("changelist-notification"),
    severities: { ...notIn08, "1.0": "warning", lenient: "warning" },
  },
  CN09: {
    why: "A Change List is fetched, a notification pushed; readers tell them apart by the capability.",
    place: "md of change-notification",
    valid: md("change-notification"),
    invalid: md("changelist"),
    severities: { ...notIn08, lenient: "warning" },
  },
  CN10: {
    why: "Under 0.8 it is the only way from a pushed document to what the Source offers.",
    place: "links of change-notification",
    valid: up,
    invalid: "",
    severities: only08,
  },
  CN11: {
    why: "Readers of 0.8 know no such attributes; the document is one of a later version.",
    place: "document",
    valid: wholeOf("urlset", "change-notification").replace(/<rs:md.*?>/, url('change="updated"', lastmod)),
    invalid: wholeOf("urlset", "change-notification"),
    severities: only08,
  },
  FN01: {
    why: "A subscriber receives one document at a time and never fetches the parts of an index.",
    place: "document",
    valid: wholeOf("urlset", "framework-notification"),
    invalid: wholeOf("sitemapindex", "framework-notification"),
  },
  FN02: {
    why: "Half an interval covers nothing.",
    place: "md of framework-notification",
    valid: md("framework-notification"),
    invalid: md("framework-notification", 'from="2026-03-02T08:00:00Z"'),
  },
  FN03: {
    why: "A Destination must know what happened, and to what kind of document, to decide whether to fetch it.",
    place: "entries of framework-notification",
    valid: url('change="created" capability="resourcelist"'),
    invalid: url('change="created"'),
  },
  FN04: {
    why: "Some things cannot happen, such as a changed dump: a new one takes its place. The announcement means something else.",
    place: "entries of framework-notification",
    valid: url('change="updated" capability="changelist"'),
    invalid: url('change="deleted" capability="changelist"'),
  },
  FN05: {
    why: "A channel that appears or goes is seen in the Capability List, which is announced as updated.",
    place: "entries of framework-notification",
    valid: url('change="updated" capability="capabilitylist"'),
    invalid: url('change="created" capability="change-notification"'),
  },
  FN06: {
    why: "A Destination passes over kinds of documents that it does not know.",
    place: "entries of framework-notification",
    valid: url('change="created" capability="resourcelist"'),
    invalid: url('change="created" capability="sitemap"'),
  },
  FN07: {
    why: "Whoever follows both links gets the same document twice, and never the list that changed.",
    place: "entries of framework-notification",
    valid: url('change="created" capability="resourcelist"').replace(
      "</url>",
      '<rs:ln rel="index" href="https://maps.example.org/index"/></url>',
    ),
    invalid: url('change="created" capability="resourcelist"').replace(
      "</url>",
      '<rs:ln rel="index" href="https://maps.example.org/a"/></url>',
    ),
  },
  FN08: {
    why: "Destinations read the entries from first to last, and would end at the older document.",
    place: "entries of framework-notification",
    valid:
      url('change="created" capability="resourcelist" datetime="2026-03-02T08:01:00Z"') +
      url('change="updated" capability="changelist" datetime="2026-03-02T08:02:00Z"'),
    invalid:
      url('change="created" capability="resourcelist" datetime="2026-03-02T08:02:00Z"') +
      url('change="updated" capability="changelist" datetime="2026-03-02T08:01:00Z"'),
  },
  FN09: {
    why: "A document is under one index; of two, readers take the first.",
    place: "entry of framework-notification",
    valid: '<rs:ln rel="index" href="https://maps.example.org/index"/>',
    invalid:
      '<rs:ln rel="index" href="https://maps.example.org/index"/><rs:ln rel="index" href="https://maps.example.org/other"/>',
  },
  FN10: {
    why: "The entry is about a document that changed, not about bytes; what describes bytes is passed over.",
    place: "entries of framework-notification",
    valid: url('change="created" capability="resourcelist"'),
    invalid: url('change="created" capability="resourcelist" length="5"'),
  },
  FN11: {
    why: "The one up link cannot lead to the parents of both: one of the entries gets the wrong one.",
    place: "entries of framework-notification",
    valid: url('change="created" capability="resourcelist"'),
    invalid:
      url('change="created" capability="resourcelist"') + url('change="updated" capability="capabilitylist"'),
  },
  FN12: {
    why: "Under 0.8 it is the only way from a pushed document to what the Source offers.",
    place: "links of framework-notification",
    valid: up,
    invalid: "",
    severities: only08,
  },
  FN13: {
    why: "Readers of 0.8 know no such attributes; the document is one of a later version.",
    place: "top of framework-notification",
    valid: up,
    invalid: up + md("framework-notification"),
    severities: only08,
  },
};
