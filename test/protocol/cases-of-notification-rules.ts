import type { RuleCase } from "./cases-of-common-rules.ts";
import { change, change08, framework, framework08, loc, up } from "./documents.ts";

const url = (md: string, place = loc): string => `<url>${place}<rs:md ${md}/></url>`;
const ofChanges = (...mds: readonly string[]): string =>
  change({ entries: mds.map((md) => url(md)).join("") });
const ofDocuments = (...mds: readonly string[]): string =>
  framework({ entries: mds.map((md) => url(md)).join("") });
const early = 'datetime="2026-03-02T08:01:00Z"';
const late = 'datetime="2026-03-02T09:01:01+01:00"';
const interval = 'from="2026-03-02T08:00:00Z" until="2026-03-02T08:15:00Z"';
const topMd = (capability: string, times = interval): string =>
  change({ md: `<rs:md capability="${capability}" ${times}/>` });
const indexLink = (to: string): string =>
  framework().replace("</url>", `<rs:ln rel="index" href="https://maps.example.org/${to}"/></url>`);

const asChange = { as: "change-notification" } as const;
const asFramework = { as: "framework-notification" } as const;

export const notificationCases: readonly RuleCase[] = [
  { rule: "S01", ...asChange, valid: change(), invalid: framework() },
  {
    rule: "CN01",
    ...asChange,
    valid: change(),
    invalid: change({ root: "sitemapindex", entries: `<sitemap>${loc}</sitemap>` }),
  },
  {
    rule: "CN02",
    valid: change(),
    invalid: topMd("change-notification", 'from="2026-03-02T08:00:00Z"'),
  },
  { rule: "CN03", ...asChange, valid: change(), invalid: ofChanges(early) },
  { rule: "CN04", ...asChange, valid: change(), invalid: ofChanges('change="updated"') },
  {
    rule: "CN05",
    ...asChange,
    valid: ofChanges(`change="created" ${early}`, 'change="updated"', `change="deleted" ${late}`),
    invalid: ofChanges(`change="created" ${late}`, 'change="updated"', `change="deleted" ${early}`),
  },
  {
    rule: "CN06",
    valid: ofChanges(`change="deleted" ${early}`),
    invalid: ofChanges(`change="deleted" ${early} encoding="gzip"`),
  },
  {
    rule: "CN07",
    profile: "0.8",
    valid: change08(),
    invalid: change08({ entries: url('change="updated"') }),
  },
  { rule: "CN08", valid: change(), invalid: topMd("changelist-notification") },
  { rule: "CN08", profile: "1.0", ...asChange, valid: framework(), invalid: topMd("change-notification") },
  { rule: "CN09", ...asChange, valid: change(), invalid: topMd("changelist") },
  { rule: "CN10", profile: "0.8", ...asChange, valid: change08(), invalid: change08({ links: "" }) },
  { rule: "CN11", profile: "0.8", ...asChange, valid: change08(), invalid: change() },
  {
    rule: "FN01",
    ...asFramework,
    valid: framework(),
    invalid: framework({ root: "sitemapindex", entries: `<sitemap>${loc}</sitemap>` }),
  },
  {
    rule: "FN02",
    valid: framework({ md: `<rs:md capability="framework-notification" ${interval}/>` }),
    invalid: framework({ md: '<rs:md capability="framework-notification" from="2026-03-02T08:00:00Z"/>' }),
  },
  { rule: "FN03", valid: framework(), invalid: ofDocuments('change="created"') },
  {
    rule: "FN04",
    valid: ofDocuments('change="updated" capability="resourcelist"'),
    invalid: ofDocuments('change="deleted" capability="changelist"'),
  },
  {
    rule: "FN04",
    profile: "0.8",
    valid: framework08(),
    invalid: framework08({ entries: url('change="updated" capability="resourcelist"') }),
  },
  {
    rule: "FN05",
    valid: ofDocuments('change="updated" capability="capabilitylist"'),
    invalid: ofDocuments('change="created" capability="change-notification"'),
  },
  {
    rule: "FN06",
    valid: ofDocuments('change="deleted" capability="changelist-archive"'),
    invalid: ofDocuments('change="created" capability="sitemap"'),
  },
  { rule: "FN07", valid: indexLink("index.xml"), invalid: indexLink("sheets/danube-1718") },
  {
    rule: "FN08",
    valid: ofDocuments(
      `change="created" capability="resourcelist" ${early}`,
      `change="updated" capability="changelist" ${late}`,
    ),
    invalid: ofDocuments(
      `change="created" capability="resourcelist" ${late}`,
      `change="updated" capability="changelist" ${early}`,
    ),
  },
  {
    rule: "FN09",
    valid: indexLink("index.xml"),
    invalid: indexLink("index.xml").replace(
      "</url>",
      '<rs:ln rel="index" href="https://maps.example.org/i2"/></url>',
    ),
  },
  {
    rule: "FN10",
    valid: ofDocuments(`change="created" capability="resourcelist" ${early}`),
    invalid: ofDocuments('change="created" capability="resourcelist" length="5"'),
  },
  {
    rule: "FN11",
    valid: ofDocuments(
      'change="created" capability="resourcelist"',
      'change="updated" capability="description"',
    ),
    invalid: ofDocuments(
      'change="created" capability="resourcelist"',
      'change="updated" capability="capabilitylist"',
    ),
  },
  {
    rule: "FN12",
    profile: "0.8",
    ...asFramework,
    valid: framework08({ links: "", entries: url('change="updated" capability="description"') }),
    invalid: framework08({ links: "" }),
  },
  { rule: "FN13", profile: "0.8", ...asFramework, valid: framework08({ links: up }), invalid: framework() },
];
