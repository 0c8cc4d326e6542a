import type { Explanations } from "./explanation.ts";

const inIndex = (name: string, times: string): string =>
  `<sitemap><loc>https://maps.example.org/${name}.xml</loc><rs:md ${times}/></sitemap>`;
const zip = (name: string, attributes: string): string =>
  `<url><loc>https://maps.example.org/${name}.zip</loc><rs:md type="application/zip" length="9" ${attributes}/></url>`;
const other = (name: string): string => zip(name, "").replace("application/zip", "application/x-tar");

export const explanationsOfLists: Explanations = {
  CL01: {
    why: "Without it a Destination does not know whether to fetch the resource or to remove it.",
    place: "entry of change-list",
    valid: '<rs:md change="deleted" datetime="2026-03-02T08:00:00Z"/>',
    invalid: '<rs:md datetime="2026-03-02T08:00:00Z"/>',
  },
  CL02: {
    why: "With it a Destination that comes back finds the first change that is new to it; without it, it can only count.",
    place: "entry of change-list",
    valid: '<rs:md change="updated" datetime="2026-03-02T08:00:00Z"/>',
    invalid: '<rs:md change="updated"/>',
  },
  CLI01: {
    why: "An open list may still grow, so Destinations would have to read it again and again for nothing.",
    place: "entries of change-list-index",
    valid:
      inIndex("monday", 'from="2026-03-02T00:00:00Z" until="2026-03-03T00:00:00Z"') +
      inIndex("tuesday", 'from="2026-03-03T00:00:00Z"'),
    invalid:
      inIndex("monday", 'from="2026-03-02T00:00:00Z"') + inIndex("tuesday", 'from="2026-03-03T00:00:00Z"'),
  },
  CLI02: {
    why: "An index with until never changes again, an open list says that more is to come: Destinations believe one of the two.",
    place: "document",
    valid: `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"><rs:md capability="changelist" from="2026-03-02T00:00:00Z"/>${inIndex("monday", 'from="2026-03-02T00:00:00Z"')}</sitemapindex>`,
    invalid: `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"><rs:md capability="changelist" from="2026-03-02T00:00:00Z" until="2026-03-04T00:00:00Z"/>${inIndex("monday", 'from="2026-03-02T00:00:00Z"')}</sitemapindex>`,
  },
  AR01: {
    why: "The archives draft gives the entries of an index no lastmod.",
    place: "entry of change-list-archive-index",
    valid: "",
    invalid: "<lastmod>2026-03-02T00:00:00Z</lastmod>",
  },
  RD01: {
    why: "Packages are large: by media type and size a Destination decides whether and how to download them.",
    place: "entry of resource-dump",
    valid: '<rs:md type="application/zip" length="4765"/>',
    invalid: '<rs:md type="application/zip"/>',
  },
  RD02: {
    why: "A Destination that can unpack one format gets only a part of the resources.",
    place: "entries of resource-dump",
    valid: zip("part1", "") + zip("part2", ""),
    invalid: zip("part1", "") + other("part2"),
  },
  RDM01: {
    why: "Without it nobody finds the resource in the package.",
    place: "entry of resource-dump-manifest",
    valid: '<rs:md path="/sheets/danube.tif" type="image/tiff"/>',
    invalid: '<rs:md type="image/tiff"/>',
  },
  RDM02: {
    why: "Out of a package come bytes without a Content-Type; this attribute takes its place.",
    place: "entry of resource-dump-manifest",
    valid: '<rs:md path="/sheets/danube.tif" type="image/tiff"/>',
    invalid: '<rs:md path="/sheets/danube.tif"/>',
  },
  CD01: {
    why: "Packages are large: by media type and size a Destination decides whether and how to download them.",
    place: "entry of change-dump",
    valid: '<rs:md type="application/zip" length="3109" from="2026-03-02T00:00:00Z"/>',
    invalid: '<rs:md type="application/zip" from="2026-03-02T00:00:00Z"/>',
  },
  CD02: {
    why: "Destinations unpack from first to last: in another order, a resource ends in an older state.",
    place: "entries of change-dump",
    valid: zip("monday", 'from="2026-03-02T00:00:00Z"') + zip("tuesday", 'from="2026-03-03T00:00:00Z"'),
    invalid: zip("tuesday", 'from="2026-03-03T00:00:00Z"') + zip("monday", 'from="2026-03-02T00:00:00Z"'),
  },
  CD03: {
    why: "A Destination that can unpack one format gets only a part of the changes.",
    place: "entries of change-dump",
    valid: zip("monday", "") + zip("tuesday", ""),
    invalid: zip("monday", "") + other("tuesday"),
  },
  CDM01: {
    why: "Without it a Destination does not know whether to take the bitstream or to remove the resource.",
    place: "entry of change-dump-manifest",
    valid: '<rs:md change="created" path="/changes/a" type="image/tiff"/>',
    invalid: '<rs:md path="/changes/a" type="image/tiff"/>',
  },
  CDM02: {
    why: "Without it nobody finds the new state of the resource in the package.",
    place: "entry of change-dump-manifest",
    valid: '<rs:md change="deleted"/>',
    invalid: '<rs:md change="updated" type="image/tiff"/>',
  },
  CDM03: {
    why: "What is deleted has no bytes; a path makes Destinations look for some.",
    place: "entry of change-dump-manifest",
    valid: '<rs:md change="deleted"/>',
    invalid: '<rs:md change="deleted" path="/changes/a"/>',
  },
  CDM04: {
    why: "Out of a package come bytes without a Content-Type; this attribute takes its place.",
    place: "entry of change-dump-manifest",
    valid: '<rs:md change="updated" path="/changes/a" type="image/tiff"/>',
    invalid: '<rs:md change="updated" path="/changes/a"/>',
  },
};
