import * as fc from "fast-check";
import { documentTypeNames, documentTypeOf } from "../../src/protocol/document-type-name.ts";
import {
  type Datetime,
  datetimeOf,
  type DocumentEntry,
  type DocumentHead,
  type DocumentLink,
  type Metadata,
} from "../../src/protocol/typed-document.ts";
import { typedDocument } from "../../src/protocol/type-of-document.ts";

/** Whatever XML can hold, escapes and characters beyond the first plane included; long now and then. */
const anyText = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 30 }),
  fc
    .array(fc.constantFrom("&", "<", ">", '"', "'", "\n", "\t", "\r", " ", "]]>", "é", "漢", "😀", "&amp;"), {
      maxLength: 12,
    })
    .map((parts) => parts.join("")),
  fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 1 }).map((text) => text.repeat(3000)),
);
// oxlint-disable-next-line no-control-regex -- what XML cannot write
const writable = anyText.filter((text) => !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(text));
/** Around loc, href and the other texts of an entry, white space does not count. */
const trimmed = writable.map((text) => text.replaceAll(/^[ \t\r\n]+|[ \t\r\n]+$/g, ""));
const named = trimmed.filter((text) => text !== "");

const instantText = fc
  .date({ min: new Date("1990-01-01"), max: new Date("2090-01-01"), noInvalidDate: true })
  .map((date) => date.toISOString());
const datetime: fc.Arbitrary<Datetime> = fc.oneof(instantText, writable).map(datetimeOf);
const count = fc.oneof(
  fc.nat(),
  writable.filter((text) => !/^(0|[1-9]\d{0,14})$/.test(text)),
);

/** Any of the attributes may be missing. */
const metadata: fc.Arbitrary<Metadata> = fc.record(
  {
    at: datetime,
    completed: datetime,
    from: datetime,
    until: datetime,
    change: fc.oneof(fc.constantFrom("created", "updated", "deleted"), writable),
    datetime,
    hash: writable,
    length: count,
    type: writable,
    encoding: writable,
    modified: datetime,
    path: writable,
    capability: writable,
  },
  { requiredKeys: [] },
);
const link: fc.Arbitrary<DocumentLink> = fc.record(
  {
    rel: writable,
    href: trimmed,
    hash: writable,
    length: count,
    type: writable,
    encoding: writable,
    modified: datetime,
    path: writable,
    pri: count,
    profile: writable,
  },
  { requiredKeys: ["rel", "href"] },
);
const entry: fc.Arbitrary<DocumentEntry> = fc.record(
  {
    loc: named,
    lastmod: trimmed.map(datetimeOf),
    changefreq: trimmed,
    priority: trimmed,
    metadata,
    links: fc.array(link, { maxLength: 3 }),
  },
  { requiredKeys: ["loc", "links"] },
);

/** Heads of all types, with the older names, of notification 0.8, and of sitemaps that are none of ours. */
const heads: fc.Arbitrary<Pick<DocumentHead, "root" | "metadata">> = fc.oneof(
  fc.record({ name: fc.constantFrom(...documentTypeNames), metadata }).map(({ name, metadata }) => ({
    root: name.endsWith("-index") ? ("sitemapindex" as const) : ("urlset" as const),
    metadata: { ...metadata, capability: documentTypeOf(name).replace(" index", "") },
  })),
  fc.record({
    root: fc.constantFrom("urlset" as const, "sitemapindex" as const),
    metadata: metadata.map((each) => ({ ...each, capability: "changelist-notification" })),
  }),
  fc.record({ root: fc.constantFrom("urlset" as const, "sitemapindex" as const), metadata }),
  fc.record({ root: fc.constantFrom("urlset" as const, "sitemapindex" as const) }),
);

export const typedDocuments = fc
  .record({
    head: heads,
    links: fc.array(link, { maxLength: 3 }),
    entries: fc.array(entry, { maxLength: 5 }),
  })
  .map(({ head, links, entries }) => typedDocument({ ...head, links }, entries));
