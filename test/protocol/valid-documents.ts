import * as fc from "fast-check";
import {
  type DocumentTypeName,
  documentTypeNames,
  documentTypeOf,
} from "../../src/protocol/document-type-name.ts";
import {
  datetimeOf,
  type DocumentEntry,
  type DocumentLink,
  type Metadata,
  type TypedDocument,
} from "../../src/protocol/typed-document.ts";
import { typedDocument } from "../../src/protocol/type-of-document.ts";

const at = (second: number) => datetimeOf(new Date(Date.UTC(2026, 2, 2, 8) + second * 1000).toISOString());
const [begin, end] = [at(0), at(3600)];

const uri = fc
  .webUrl({ withQueryParameters: true, withFragments: true })
  .filter((text) => text.length < 2000);

/** What an entry is made of; each type takes its own. */
const facts = fc.record({
  loc: uri,
  other: uri,
  second: fc.integer({ min: 0, max: 3600 }),
  change: fc.constantFrom("created", "updated", "deleted"),
  length: fc.nat(),
  hash: fc.constantFrom("md5:1584abdf8ebdc9802ac0c6a7402c03b6", `sha-256:${"0f".repeat(32)}`),
  type: fc.constantFrom("image/tiff", "text/html; charset=utf-8", "application/atom+xml"),
  path: fc.stringMatching(/^\/[a-z0-9]{1,8}(\/[a-zé&']{1,8})?$/),
  pri: fc.integer({ min: 1, max: 999_999 }),
  changefreq: fc.constantFrom("always", "hourly", "daily", "weekly", "monthly", "yearly", "never"),
  priority: fc.constantFrom("0.0", "0.5", "1.0"),
});
type Facts = typeof facts extends fc.Arbitrary<infer Value> ? Value : never;

const describe = ({ change, hash, length, type }: Facts): Metadata =>
  change === "deleted" ? {} : { hash, length, type, encoding: "gzip" };
const mirrors = ({ other, pri, type }: Facts): DocumentLink[] => [
  { rel: "duplicate", href: other, pri, modified: begin },
  { rel: "alternate", href: other, type, encoding: "gzip" },
];
const about = (href: string): DocumentLink => ({ rel: "describedby", href });
const package_ = { type: "application/zip", length: 4711 };
const contents = ({ other }: Facts): DocumentLink[] => [
  { rel: "contents", href: other, type: "application/xml" },
];
const started = ({ second }: Facts): Metadata => ({ from: at(second), until: end });
const changed = ({ change, second }: Facts): Metadata => ({ change, datetime: at(second) });
const listed = ["resourcelist", "resourcedump", "changelist", "changedump"];

type Part = Partial<Omit<DocumentEntry, "loc">>;

/** The entries of each type, as the standards want them. */
const entryOf: Record<DocumentTypeName, (facts: Facts, place: number) => Part> = {
  "source-description": ({ other }) => ({
    metadata: { capability: "capabilitylist" },
    links: [about(other)],
  }),
  "source-description-index": () => ({}),
  "capability-list": (_, place) => ({ metadata: { capability: listed[place] ?? "" } }),
  "capability-list-index": () => ({}),
  "resource-list": (each) => ({
    lastmod: at(each.second),
    changefreq: each.changefreq,
    priority: each.priority,
    metadata: describe(each),
    links: mirrors(each),
  }),
  "resource-list-index": () => ({ metadata: { at: begin, completed: end } }),
  "resource-dump": (each) => ({
    metadata: { ...package_, at: begin, completed: end },
    links: contents(each),
  }),
  "resource-dump-index": () => ({ metadata: { at: begin } }),
  "resource-dump-manifest": (each) => ({ metadata: { ...describe(each), path: each.path } }),
  "change-list": (each) => ({ metadata: { ...changed(each), ...describe(each) }, links: mirrors(each) }),
  "change-list-index": (each) => ({ metadata: started(each) }),
  "change-dump": (each) => ({ metadata: { ...package_, ...started(each) }, links: contents(each) }),
  "change-dump-index": (each) => ({ metadata: started(each) }),
  "change-dump-manifest": (each) => ({
    metadata: {
      ...changed(each),
      ...describe(each),
      ...(each.change === "deleted" ? {} : { path: each.path }),
    },
  }),
  "change-notification": (each) => ({
    metadata: { ...changed(each), ...describe(each) },
    links: mirrors(each),
  }),
  "framework-notification": (each) => ({
    metadata: { change: "created", capability: "resourcelist", datetime: at(each.second) },
    links: [{ rel: "index", href: each.other }],
  }),
  "resource-list-archive": () => ({ metadata: { at: begin, completed: end } }),
  "resource-list-archive-index": () => ({}),
  "resource-dump-archive": () => ({ metadata: { at: begin } }),
  "resource-dump-archive-index": () => ({}),
  "change-list-archive": (each) => ({ metadata: started(each) }),
  "change-list-archive-index": () => ({}),
  "change-dump-archive": (each) => ({ metadata: started(each) }),
  "change-dump-archive-index": () => ({}),
};

function metadataOf(type: DocumentTypeName): Metadata {
  const capability = documentTypeOf(type).replace(" index", "");
  if (/archive|notification|description|capability/.test(type)) {
    return type === "change-notification" ? { capability, from: begin, until: end } : { capability };
  }
  return type.startsWith("change")
    ? { capability, from: begin, until: end }
    : { capability, at: begin, completed: end };
}

/** A document of the type that breaks no rule. */
const validDocument = (type: DocumentTypeName): fc.Arbitrary<TypedDocument> =>
  fc.array(facts, { minLength: 1, maxLength: 4 }).map((all) =>
    typedDocument(
      {
        root: type.endsWith("-index") ? "sitemapindex" : "urlset",
        metadata: metadataOf(type),
        links: type.startsWith("source")
          ? [about("https://example.org/about")]
          : [{ rel: "up", href: "https://example.org/capabilitylist.xml" }],
      },
      all
        .toSorted((a, b) => a.second - b.second)
        .map((each, place) => ({ loc: each.loc, links: [], ...entryOf[type](each, place) })),
    ),
  );

export const validDocuments = fc
  .constantFrom(...documentTypeNames)
  .chain((type) => validDocument(type).map((document) => ({ type, document })));
