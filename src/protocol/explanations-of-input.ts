import type { Explanations } from "./explanation.ts";

const urlset = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"/>';
const entry = "<url><loc>https://maps.example.org/a</loc></url>";

export const explanationsOfInput: Explanations = {
  X01: {
    why: "A reader stops at the first place where XML is broken, and everything behind it is lost to it.",
    place: "entries of change-list",
    valid: "<url><loc>https://maps.example.org/?sheet=7&amp;year=1718</loc></url>",
    invalid: "<url><loc>https://maps.example.org/?sheet=7&year=1718</loc></url>",
  },
  X02: {
    why: "Sitemaps are UTF-8. In any other encoding a reader takes names for other names, or refuses the document.",
    place: "document",
    valid: `<?xml version="1.0" encoding="UTF-8"?>${urlset}`,
    invalid: `<?xml version="1.0" encoding="ISO-8859-1"?>${urlset}`,
  },
  X03: {
    why: "Entities can make a small document explode in memory or fetch files of the reader, so careful readers refuse them all.",
    place: "document",
    valid: urlset,
    invalid: `<!DOCTYPE urlset [<!ENTITY map "Danube">]>${urlset}`,
  },
  X04: {
    why: "Readers make room for 50,000 entries. More are divided among several lists under an index.",
    place: "entries of resource-list",
    valid: { repeat: entry, times: 50_000 },
    invalid: { repeat: entry, times: 50_001 },
  },
  X05: {
    why: "Readers take 50 MB (52,428,800 bytes), uncompressed. More is divided among several lists under an index.",
    place: "document",
    valid: urlset,
    invalid: { repeat: " ", times: 52_428_801, after: urlset },
  },
  W01: {
    why: "A ResourceSync document needs three levels; deep nesting is how hostile documents exhaust readers.",
    place: "entries of change-list",
    valid: '<url><m:scale xmlns:m="urn:maps"><m:unit/></m:scale></url>',
    invalid: { before: '<m:a xmlns:m="urn:maps">', repeat: "<m:a>", times: 40 },
  },
  W02: {
    why: "No element of ResourceSync has more than a dozen; thousands are how hostile documents exhaust readers.",
    place: "entry of change-list",
    valid: '<rs:md change="updated"/>',
    invalid: { before: "<rs:md ", repeat: 'change="updated" ', times: 65, after: "/>" },
  },
  W03: {
    why: "The longest value that means anything is a URI of some thousand characters.",
    place: "entries of change-list",
    valid: entry,
    invalid: {
      before: "<url><loc>https://maps.example.org/",
      repeat: "a",
      times: 65_536,
      after: "</loc></url>",
    },
  },
  W04: {
    why: "Ten elements for each of 50,000 entries are far beyond what real documents have.",
    place: "entries of change-list",
    valid: entry,
    invalid: { before: "<url>", repeat: "<loc/>", times: 500_001, after: "</url>" },
  },
  N01: {
    why: "A reader knows the elements by their namespace and sees nothing at all in another one.",
    place: "document",
    valid: urlset,
    invalid: '<urlset xmlns="http://www.google.com/schemas/sitemap/0.84"/>',
  },
  N02: {
    why: "The root tells a list (urlset) from an index of lists (sitemapindex); a reader knows no third.",
    place: "document",
    valid: urlset,
    invalid: '<feed xmlns="http://www.w3.org/2005/Atom"/>',
  },
  N03: {
    why: "What a community adds needs a namespace of its own, so that it never clashes with a later ResourceSync.",
    place: "entry of change-list",
    valid: '<m:scale xmlns:m="urn:maps">25000</m:scale>',
    invalid: "<rs:scale>25000</rs:scale>",
  },
  N04: {
    why: "A namespace is compared letter by letter: without its final slash, readers see no ResourceSync in the document.",
    place: "document",
    valid: urlset.replace("/>", ' xmlns:rs="http://www.openarchives.org/rs/terms/"/>'),
    invalid: urlset.replace("/>", ' xmlns:rs="http://www.openarchives.org/rs/terms"/>'),
  },
};
