import { change, change08, framework, loc, type Parts } from "./documents.ts";

export interface RuleCase {
  readonly rule: string;
  readonly valid: string;
  readonly invalid: string;
  /** Judged under this profile rather than the strict one. */
  readonly profile?: "0.8" | "1.0";
  readonly as?: "change-notification" | "framework-notification";
}

const md = (attributes = ""): string =>
  `<rs:md change="updated" datetime="2026-03-02T08:04:11Z" ${attributes}/>`;
const entry = (inside: string, parts: Parts = {}): string =>
  change({ entries: `<url>${inside}</url>`, ...parts });
const withMd = (attributes: string): string => entry(loc + md(attributes));
const withLink = (attributes: string): string => entry(`${loc}${md()}<rs:ln ${attributes}/>`);
const withTopLink = (attributes: string): string => change({ links: `<rs:ln ${attributes}/>` });
const target = 'href="https://maps.example.org/b"';
const sitemap = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const topMd = (attributes: string): string =>
  change({ md: `<rs:md capability="change-notification" ${attributes}/>` });
const interval = 'from="2026-03-02T08:00:00Z" until="2026-03-02T08:15:00Z"';

export const structureCases: readonly RuleCase[] = [
  { rule: "X01", valid: change(), invalid: change().replace("</url>", "") },
  {
    rule: "X02",
    valid: change({ before: '<?xml version="1.0" encoding="utf-8"?>' }),
    invalid: change({ before: '<?xml version="1.0" encoding="ISO-8859-1"?>' }),
  },
  {
    rule: "X03",
    valid: change({ before: "<!-- <!DOCTYPE urlset> -->" }),
    invalid: change({ before: '<!DOCTYPE urlset [<!ENTITY a "b">]>' }),
  },
  {
    rule: "X04",
    valid: change({ entries: `<url>${loc}${md()}</url>`.repeat(3) }),
    invalid: change({ entries: "<url/>".repeat(50_001) }),
  },
  { rule: "X05", valid: change(), invalid: change({ before: " ".repeat(52_428_800) }) },
  {
    rule: "N01",
    valid: entry(`${loc}${md()}<image:loc xmlns:image="urn:images">not ours</image:loc>`),
    invalid: change().replace("http://www.sitemaps.org", "https://www.sitemaps.org"),
  },
  { rule: "N02", valid: change(), invalid: '<feed xmlns="http://www.w3.org/2005/Atom"/>' },
  { rule: "N03", valid: change(), invalid: entry(`${loc}${md()}<rs:meta/>`) },
  { rule: "N04", valid: change(), invalid: change().replace("/rs/terms/", "/rs/terms") },
  { rule: "C01", valid: change(), invalid: change({ md: "" }) },
  { rule: "C02", valid: change(), invalid: topMd(interval).replace("<url>", "<rs:md/><url>") },
  {
    rule: "C03",
    valid: change(),
    invalid: change({
      entries: `<url>${loc}${md()}</url><rs:ln rel="describedby" ${target}/>`,
    }),
  },
  { rule: "C04", valid: change(), invalid: change({ entries: `<sitemap>${loc}</sitemap>` }) },
  {
    rule: "C05",
    valid: withMd('xmlns:m="urn:maps" m:scale="25000"'),
    invalid: withMd('scale="25000"'),
  },
  { rule: "C06", valid: withMd('length="5"'), invalid: withMd('rs:length="5"') },
  { rule: "C07", valid: topMd(interval), invalid: topMd(`${interval} length="5"`) },
  {
    rule: "C08",
    valid: change({
      namespaces: `${sitemap} xmlns:rs="http://www.openarchives.org/rs/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="a b"`,
    }),
    invalid: change().replace("<url>", '<url id="7">'),
  },
  { rule: "C09", valid: change(), invalid: entry(md()) },
  {
    rule: "C10",
    valid: entry(`<loc>\n https://maps.example.org/a?b=1&amp;c=2#d\n</loc>${md()}`),
    invalid: entry(`<loc>/sheets/danube 1718</loc>${md()}`),
  },
  {
    rule: "C11",
    valid: entry(`<loc>https://maps.example.org/${"a".repeat(2023)}</loc>${md()}`),
    invalid: entry(`<loc>https://maps.example.org/${"a".repeat(2024)}</loc>${md()}`),
  },
  { rule: "C12", valid: change(), invalid: entry(`<loc>ftp://maps.example.org/a</loc>${md()}`) },
  { rule: "C13", valid: change(), invalid: change({ entries: "" }) },
  {
    rule: "C14",
    valid: entry(`${loc}<lastmod>2026-03-01T00:00:00Z</lastmod><priority>0.5</priority>${md()}`),
    invalid: entry(`${loc}<priority>1.1</priority>${md()}`),
  },
  { rule: "C15", valid: change(), invalid: entry(`${loc}<changefreq>daily</changefreq>${md()}`) },
  {
    rule: "C16",
    valid: entry(`${loc}<lastmod>2026-03-01T00:00:00Z</lastmod>${md()}`),
    invalid: entry(`${loc}${md()}<lastmod>2026-03-01T00:00:00Z</lastmod>`),
  },
  { rule: "C17", valid: change(), invalid: entry(loc + md() + md()) },
  { rule: "C20", valid: framework(), invalid: withMd('capability="changelist"') },
  { rule: "C21", valid: change(), invalid: entry(`${loc}stray${md()}`) },
  { rule: "C22", valid: change(), invalid: entry(`${loc}<rs:md change="updated">x</rs:md>`) },
  { rule: "C23", valid: change(), invalid: entry(`${loc}${md()}<m:x xmlns:m="urn:m">${md()}</m:x>`) },
  { rule: "C24", valid: change(), invalid: entry(`${loc}<expires>2027-01-01</expires>${md()}`) },
  { rule: "V01", valid: change(), invalid: change({ md: `<rs:md ${interval}/>` }) },
  {
    rule: "V02",
    valid: change(),
    invalid: change({ md: `<rs:md capability="Change-Notification" ${interval}/>` }),
  },
  {
    rule: "V04",
    valid: withLink(`rel="alternate" type="text/html" ${target} modified="2026-03-01T07:00:00.25Z"`),
    invalid: withLink(`rel="alternate" type="text/html" ${target} modified="2026-02-30T07:00:00Z"`),
  },
  {
    rule: "V05",
    valid: topMd(interval),
    invalid: topMd('from="2026-03-02T09:00:00+01:00" until="2026-03-02T08:15:00Z"'),
  },
  { rule: "V06", valid: withMd('length="0"'), invalid: withMd('length="-1"') },
  {
    rule: "V07",
    valid: withLink(`rel="duplicate" ${target} pri="1"`),
    invalid: withLink(`rel="duplicate" ${target} pri="0"`),
  },
  {
    rule: "V08",
    valid: withMd(`hash="md5:${"0a".repeat(16)}\n  sha-1:${"0a".repeat(20)}"`),
    invalid: withMd(`hash="${"0a".repeat(16)}"`),
  },
  { rule: "V09", valid: withMd(`hash="md5:${"0A".repeat(16)}"`), invalid: withMd('hash="sha-256:f4OxZX_x"') },
  {
    rule: "V10",
    valid: withMd(`hash="sha-256:${"0a".repeat(32)}"`),
    invalid: withMd(`hash="sha-256:${"0a".repeat(16)}"`),
  },
  {
    rule: "V11",
    valid: withMd('hash="shake128:0a0b"'),
    invalid: withMd(`hash="sha256:${"0a".repeat(32)}"`),
  },
  {
    rule: "V12",
    valid: withMd(`hash="md5:${"0a".repeat(16)}"`),
    invalid: withMd(`hash="md5:${"0a".repeat(16)} md5:${"0b".repeat(16)}"`),
  },
  { rule: "V13", valid: withMd('type="text/html; charset=utf-8"'), invalid: withMd('type="html"') },
  {
    rule: "V14",
    valid: withMd('type="application/atom+xml"'),
    invalid: withMd('type="application/vnd.ms-excel"'),
  },
  { rule: "V17", valid: change(), invalid: withMd('path="/danube.tif"') },
  { rule: "V18", valid: withMd('encoding="gzip, x-gzip"'), invalid: withMd('encoding="utf-8"') },
  {
    rule: "V19",
    valid: entry(`${loc}<changefreq>never</changefreq>${md()}`),
    invalid: entry(`${loc}<changefreq> never</changefreq>${md()}`),
  },
  { rule: "V20", valid: change(), invalid: entry(`${loc}<rs:md change="Updated"/>`) },
  { rule: "L01", valid: withLink(`rel="via" ${target}`), invalid: withLink('rel="via"') },
  { rule: "L02", valid: withLink(`rel="via" ${target}`), invalid: withLink(target) },
  {
    rule: "L03",
    valid: withTopLink('rel="up" href="https://maps.example.org/c.xml"'),
    invalid: withTopLink('rel="up" href="../c.xml"'),
  },
  { rule: "L04", valid: withTopLink(`rel="up" ${target}`), invalid: withTopLink(`rel="up index" ${target}`) },
  {
    rule: "L05",
    valid: withLink(`rel="https://maps.example.org/rel/facsimile" ${target}`),
    invalid: withLink(`rel="facsimile" ${target}`),
  },
  {
    rule: "L06",
    valid: withTopLink(`rel="UP" ${target}`),
    invalid: withTopLink(`rel="up" ${target} type="application/xml"`),
  },
  {
    rule: "L07",
    valid: withTopLink(`rel="up" ${target}`),
    invalid: withTopLink(`rel="resourcesync" ${target}`),
  },
  {
    rule: "L08",
    valid: withLink(
      `rel="http://www.openarchives.org/rs/terms/patch" ${target} type="application/json-patch"`,
    ),
    invalid: withLink(`rel="http://www.openarchives.org/rs/terms/patch" ${target}`),
  },
  {
    rule: "L09",
    as: "framework-notification",
    valid: framework(),
    invalid: framework().replace(
      "</url>",
      `<rs:ln rel="http://www.openarchives.org/rs/terms/patch" ${target} type="application/json-patch"/></url>`,
    ),
  },
  {
    rule: "L11",
    valid: withLink(`rel="alternate" ${target} type="image/png"`),
    invalid: withLink(`rel="alternate" ${target}`),
  },
  {
    rule: "L12",
    valid: withLink(`rel="timegate" ${target}`),
    invalid: withLink(`rel="timegate" ${target} type="text/html"`),
  },
  { rule: "L13", valid: withLink(`rel="via" ${target}`), invalid: withLink(`rel="contents" ${target}`) },
  {
    rule: "L14",
    valid: withTopLink(`rel="up" ${target}`),
    invalid: change({ links: `<rs:ln rel="up" ${target}/>`.repeat(2) }),
  },
  {
    rule: "L16",
    valid: withLink(`rel="duplicate" ${target} modified="2026-03-01T00:00:00Z"`),
    invalid: withLink(`rel="duplicate" ${target} type="image/tiff"`),
  },
  { rule: "T02", valid: topMd(interval), invalid: topMd(`${interval} at="2026-03-02T08:00:00Z"`) },
  {
    rule: "T05",
    valid: topMd(`${interval} at="2026-03-02T08:00:00Z" completed="2026-03-02T08:00:00Z"`),
    invalid: topMd(`${interval} at="2026-03-02T08:00:01Z" completed="2026-03-02T08:00:00Z"`),
  },
  {
    rule: "T06",
    valid: topMd('from="2026-03-02T09:04:11+01:00" until="2026-03-02T08:04:11Z"'),
    invalid: topMd('from="2026-03-02T08:15:00Z" until="2026-03-02T08:00:00Z"'),
  },
  { rule: "T07", valid: change(), invalid: withMd('at="2026-03-02T08:00:00Z"') },
  { rule: "T08", valid: change(), invalid: withMd('from="2026-03-02T08:00:00Z"') },
  {
    rule: "T11",
    valid: entry(`${loc}<rs:md change="updated" datetime="2026-03-02T08:15:00.000Z"/>`),
    invalid: entry(`${loc}<rs:md change="updated" datetime="2026-03-02T08:15:00.0001Z"/>`),
  },
  { rule: "W01", valid: change(), invalid: change({ entries: "<a>".repeat(40) + "</a>".repeat(40) }) },
  {
    rule: "W02",
    valid: change(),
    invalid: withMd(Array.from({ length: 80 }, (_, at) => `a${at}=""`).join(" ")),
  },
  { rule: "W03", valid: change(), invalid: entry(`<loc>${"a".repeat(70_000)}</loc>`) },
  { rule: "W04", valid: change08(), invalid: entry("<loc/>".repeat(500_001)) },
];
