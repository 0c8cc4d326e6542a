import {
  type DocumentTypeName,
  documentTypeNames,
  documentTypeOf,
} from "../../src/protocol/document-type-name.ts";
import type { Fragment, Place } from "../../src/protocol/explanation.ts";

const namespaces =
  'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"';
const up = '<rs:ln rel="up" href="https://maps.example.org/catalogue/capabilitylist.xml"/>';
const about = '<rs:ln rel="describedby" href="https://maps.example.org/about"/>';
const loc = "<loc>https://maps.example.org/sheets/danube-1718</loc>";

const at = 'at="2026-03-02T00:00:00Z"';
const from = 'from="2026-03-02T00:00:00Z"';
const interval = `${from} until="2026-03-03T00:00:00Z"`;

/** The times at the top, and the entry, of a valid document of each type. */
const parts: Record<string, readonly [times: string, entry: string]> = {
  description: ["", `<rs:md capability="capabilitylist"/>${about}`],
  "description index": ["", ""],
  capabilitylist: ["", '<rs:md capability="resourcelist"/>'],
  "capabilitylist index": ["", ""],
  resourcelist: [at, '<rs:md length="5" type="image/tiff"/>'],
  "resourcelist index": [at, `<rs:md ${at}/>`],
  resourcedump: [at, `<rs:md type="application/zip" length="9" ${at}/>`],
  "resourcedump index": [at, `<rs:md ${at}/>`],
  "resourcedump-manifest": [at, '<rs:md path="/sheets/danube.tif" type="image/tiff"/>'],
  changelist: [from, '<rs:md change="updated" datetime="2026-03-02T08:04:00Z"/>'],
  "changelist index": [from, `<rs:md ${interval}/>`],
  changedump: [from, `<rs:md type="application/zip" length="9" ${interval}/>`],
  "changedump index": [from, `<rs:md ${interval}/>`],
  "changedump-manifest": [
    interval,
    '<rs:md change="created" datetime="2026-03-02T08:04:00Z" path="/changes/danube.tif" type="image/tiff"/>',
  ],
  "change-notification": [interval, '<rs:md change="updated" datetime="2026-03-02T08:04:00Z"/>'],
  "framework-notification": ["", '<rs:md change="created" capability="resourcelist"/>'],
  "resourcelist-archive": ["", `<rs:md ${at}/>`],
  "resourcelist-archive index": ["", ""],
  "resourcedump-archive": ["", `<rs:md ${at}/>`],
  "resourcedump-archive index": ["", ""],
  "changelist-archive": ["", `<rs:md ${interval}/>`],
  "changelist-archive index": ["", ""],
  "changedump-archive": ["", `<rs:md ${interval}/>`],
  "changedump-archive index": ["", ""],
};

interface Exchanged {
  readonly links?: string;
  readonly md?: string;
  readonly entries?: string;
}

/** A valid document of the type, but for the parts that are given. */
export function documentOf(name: DocumentTypeName, exchanged: Exchanged = {}): string {
  const type = documentTypeOf(name);
  const isIndex = type.endsWith(" index");
  const [root, entryName] = isIndex ? ["sitemapindex", "sitemap"] : ["urlset", "url"];
  const [times = "", entry = ""] = parts[type] ?? [];
  const links = type.startsWith("description") ? about : type === "capabilitylist" ? up + about : up;
  const {
    links: top = links,
    md = `<rs:md capability="${type.replace(" index", "")}" ${times}/>`,
    entries = `<${entryName}>${loc}${entry}</${entryName}>`,
  } = exchanged;
  return `<${root} ${namespaces}>${top}${md}${entries}</${root}>`;
}

const written = (fragment: Fragment): string =>
  typeof fragment === "string"
    ? fragment
    : `${fragment.before ?? ""}${fragment.repeat.repeat(fragment.times)}${fragment.after ?? ""}`;

/** The document that a fragment of an explanation stands in, and the type that it is to be. */
export function around(
  place: Place,
  fragment: Fragment,
): { readonly document: string; readonly as: DocumentTypeName | undefined } {
  const text = written(fragment);
  const [spot, typeName] = place.split(" of ");
  const as = documentTypeNames.find((name) => name === typeName);
  if (as === undefined) return { document: text, as: undefined };
  const entryName = as.endsWith("-index") ? "sitemap" : "url";
  const exchanged: Record<string, Exchanged> = {
    md: { md: text },
    links: { links: text },
    top: { links: text, md: "" },
    entries: { entries: text },
    entry: { entries: `<${entryName}>${loc}${text}</${entryName}>` },
  };
  return { document: documentOf(as, exchanged[spot ?? ""]), as };
}
