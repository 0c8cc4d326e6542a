import type { Explanations } from "./explanation.ts";

const up = '<rs:ln rel="up" href="https://maps.example.org/capabilitylist.xml"/>';
const md = '<rs:md capability="resourcelist" at="2026-03-02T08:00:00Z"/>';
const url = "<url><loc>https://maps.example.org/a</loc></url>";

export const explanationsOfStructure: Explanations = {
  C01: {
    why: "Only this rs:md says what the document is; without it a reader sees a plain sitemap.",
    place: "top of resource-list",
    valid: up + md,
    invalid: up,
  },
  C02: {
    why: "With two, each reader may believe another one.",
    place: "top of resource-list",
    valid: up + md,
    invalid: up + md + md,
  },
  C03: {
    why: "Readers that take the document as a stream decide at the first entry what they are reading.",
    place: "entries of resource-list",
    valid: url,
    invalid: `${url}<rs:ln rel="describedby" href="https://maps.example.org/about"/>`,
  },
  C04: {
    why: "A reader of a urlset looks for url and passes over sitemap; a reader of a sitemapindex does the reverse.",
    place: "entries of resource-list",
    valid: url,
    invalid: "<sitemap><loc>https://maps.example.org/list1.xml</loc></sitemap>",
  },
  C05: {
    why: "A reader ignores what it does not know, so a misspelt attribute is lost without a word.",
    place: "entry of resource-list",
    valid: '<rs:md xmlns:m="urn:maps" m:scale="25000"/>',
    invalid: '<rs:md scale="25000"/>',
  },
  C06: {
    why: "In XML, rs:length and length are different attributes, and readers look for the plain one.",
    place: "entry of resource-list",
    valid: '<rs:md length="5"/>',
    invalid: '<rs:md rs:length="5"/>',
  },
  C07: {
    why: "Attributes such as length describe one resource and mean nothing about a list of them.",
    place: "md of resource-list",
    valid: md,
    invalid: '<rs:md capability="resourcelist" at="2026-03-02T08:00:00Z" length="5"/>',
  },
  C08: {
    why: "Readers that go by the sitemap schema refuse the document.",
    place: "entries of resource-list",
    valid: url,
    invalid: '<url id="7"><loc>https://maps.example.org/a</loc></url>',
  },
  C09: {
    why: "Without loc, or with two of them, nobody knows which resource is meant.",
    place: "entries of resource-list",
    valid: url,
    invalid: "<url><lastmod>2026-03-01T00:00:00Z</lastmod></url>",
  },
  C10: {
    why: "A reader fetches exactly this text; a relative URI, or one with spaces, leads nowhere.",
    place: "entries of resource-list",
    valid: "<url><loc>https://maps.example.org/danube%201718</loc></url>",
    invalid: "<url><loc>/danube 1718</loc></url>",
  },
  C11: {
    why: "Sitemap readers may cut or refuse longer ones.",
    place: "entries of resource-list",
    valid: url,
    invalid: {
      before: "<url><loc>https://maps.example.org/",
      repeat: "a",
      times: 2048,
      after: "</loc></url>",
    },
  },
  C12: {
    why: "Destinations fetch over HTTP; few know how to follow another scheme.",
    place: "entries of resource-list",
    valid: url,
    invalid: "<url><loc>ftp://maps.example.org/a</loc></url>",
  },
  C13: {
    why: "The standard allows an empty document, but readers that go by the sitemap schema refuse it.",
    place: "entries of resource-list",
    valid: url,
    invalid: "",
  },
  C14: {
    why: "A reader takes one of two times, and which one is chance.",
    place: "entry of resource-list",
    valid: "<lastmod>2026-03-01T00:00:00Z</lastmod><priority>0.5</priority>",
    invalid: "<lastmod>2026-03-01T00:00:00Z</lastmod><lastmod>2026-03-02T00:00:00Z</lastmod>",
  },
  C15: {
    why: "It is a hint about a resource; elsewhere the entries are documents and packages.",
    place: "entry of change-dump",
    valid: '<rs:md type="application/zip" length="9" from="2026-03-02T00:00:00Z"/>',
    invalid: "<changefreq>daily</changefreq>",
  },
  C16: {
    why: "The sitemap schema prescribes the order, and readers that go by it refuse another one.",
    place: "entry of resource-list",
    valid: '<lastmod>2026-03-01T00:00:00Z</lastmod><rs:md length="5"/>',
    invalid: '<rs:md length="5"/><lastmod>2026-03-01T00:00:00Z</lastmod>',
  },
  C17: {
    why: "Readers keep one of two, and lose what the other one says.",
    place: "entry of resource-list",
    valid: '<rs:md length="5" type="image/tiff"/>',
    invalid: '<rs:md length="5"/><rs:md type="image/tiff"/>',
  },
  C18: {
    why: "A Resource List says what is; a reader of it looks for no changes, so this one is missed.",
    place: "entry of resource-list",
    valid: '<rs:md length="5"/>',
    invalid: '<rs:md change="updated"/>',
  },
  C19: {
    why: "It is the time of a change, of which this document tells none; lastmod says when a resource was last modified.",
    place: "entry of resource-list",
    valid: "<lastmod>2026-03-01T00:00:00Z</lastmod>",
    invalid: '<rs:md datetime="2026-03-01T00:00:00Z"/>',
  },
  C20: {
    why: "It says what kind of document loc names; here loc names resources.",
    place: "entry of change-list",
    valid: '<rs:md change="updated"/>',
    invalid: '<rs:md change="updated" capability="resourcelist"/>',
  },
  C21: {
    why: "Stray text is usually what remained of a tag that was cut in two.",
    place: "entry of resource-list",
    valid: '<rs:md length="5"/>',
    invalid: 'rs:md length="5"/>',
  },
  C22: {
    why: "Readers look at attributes only; what stands inside is never seen.",
    place: "entry of change-list",
    valid: '<rs:md change="updated"/>',
    invalid: "<rs:md>updated</rs:md>",
  },
  C23: {
    why: "A reader looks for them in the root and in entries, and nowhere else.",
    place: "entry of change-list",
    valid: '<rs:md change="updated"/>',
    invalid: '<m:more xmlns:m="urn:maps"><rs:md change="updated"/></m:more>',
  },
  C24: {
    why: "It is most often a typing error, such as lastMod; readers pass over it.",
    place: "entry of resource-list",
    valid: "<lastmod>2026-03-01T00:00:00Z</lastmod>",
    invalid: "<lastMod>2026-03-01T00:00:00Z</lastMod>",
  },
};
