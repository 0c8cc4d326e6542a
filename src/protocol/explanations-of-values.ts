import type { Explanations } from "./explanation.ts";

const md5 = "md5:1584abdf8ebdc9802ac0c6a7402c03b6";

export const explanationsOfValues: Explanations = {
  V01: {
    why: "Only the capability says what the document is.",
    place: "md of resource-list",
    valid: '<rs:md capability="resourcelist" at="2026-03-02T08:00:00Z"/>',
    invalid: '<rs:md at="2026-03-02T08:00:00Z"/>',
  },
  V02: {
    why: "Readers compare letter by letter, and pass over a document whose kind they do not know.",
    place: "document",
    valid:
      '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"><rs:md capability="resourcelist"/></urlset>',
    invalid:
      '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"><rs:md capability="ResourceList"/></urlset>',
  },
  V03: {
    why: "A manifest lies inside one package and describes that one; an index of manifests has no place to lie.",
    place: "document",
    valid:
      '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"><rs:md capability="resourcedump-manifest"/></urlset>',
    invalid:
      '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"><rs:md capability="resourcedump-manifest"/></sitemapindex>',
  },
  V04: {
    why: "A time that a reader cannot read, or a time without a zone, makes it fetch too much or miss changes.",
    place: "entry of change-list",
    valid: '<rs:md change="updated" datetime="2026-03-02T09:30:00.25Z"/>',
    invalid: '<rs:md change="updated" datetime="2026-03-02T09:30:00"/>',
  },
  V05: {
    why: "Other forms are legal, but the official schema refuses some of them, and a well-known client gets offsets wrong.",
    place: "md of change-list",
    valid: '<rs:md capability="changelist" from="2026-03-02T00:00:00Z"/>',
    invalid: '<rs:md capability="changelist" from="2026-03-02T01:00:00+01:00"/>',
  },
  V06: {
    why: "A reader compares it with the bytes that it got, and takes the download for broken.",
    place: "entry of resource-list",
    valid: '<rs:md length="14599"/>',
    invalid: '<rs:md length="14.6 kB"/>',
  },
  V07: {
    why: "Readers sort mirrors by this number; the smallest is tried first.",
    place: "entry of resource-list",
    valid: '<rs:ln rel="duplicate" href="https://mirror.example.net/a" pri="1"/>',
    invalid: '<rs:ln rel="duplicate" href="https://mirror.example.net/a" pri="0"/>',
  },
  V08: {
    why: "Without the name of the algorithm nobody can check the digest.",
    place: "entry of resource-list",
    valid: `<rs:md hash="${md5}"/>`,
    invalid: '<rs:md hash="1584abdf8ebdc9802ac0c6a7402c03b6"/>',
  },
  V09: {
    why: "A reader compares with the hex digest that it computes itself, and never finds them equal.",
    place: "entry of resource-list",
    valid: `<rs:md hash="${md5}"/>`,
    invalid: '<rs:md hash="md5:FYSr3469yYAqwManQCwDtg=="/>',
  },
  V10: {
    why: "A digest of another length was cut off, or made by another algorithm; it can never be right.",
    place: "entry of resource-list",
    valid: `<rs:md hash="${md5}"/>`,
    invalid: '<rs:md hash="sha-256:1584abdf8ebdc9802ac0c6a7402c03b6"/>',
  },
  V11: {
    why: "A reader that does not know the algorithm checks nothing. It is sha-256, with a hyphen.",
    place: "entry of resource-list",
    valid: `<rs:md hash="${md5}"/>`,
    invalid: '<rs:md hash="crc32:0a0b0c0d"/>',
  },
  V12: {
    why: "If the two differ, no reader can tell which one holds.",
    place: "entry of resource-list",
    valid: `<rs:md hash="${md5}"/>`,
    invalid: `<rs:md hash="${md5} md5:0988647082c8bc51778894a48ec3b576"/>`,
  },
  V13: {
    why: "A reader chooses by it what to do with the bytes.",
    place: "entry of resource-list",
    valid: '<rs:md type="application/pdf"/>',
    invalid: '<rs:md type="pdf"/>',
  },
  V14: {
    why: "The media type is right, but the official schema forbids dots and parameters, so that readers who go by it refuse the document.",
    place: "entry of resource-list",
    valid: '<rs:md type="application/atom+xml"/>',
    invalid: '<rs:md type="application/vnd.ms-excel"/>',
  },
  V15: {
    why: "A path begins at the root of the package, which is written as a slash; with a slash at its end it names a folder.",
    place: "entry of resource-dump-manifest",
    valid: '<rs:md path="/sheets/danube.tif" type="image/tiff"/>',
    invalid: '<rs:md path="sheets/danube.tif" type="image/tiff"/>',
  },
  V16: {
    why: "Whoever unpacks to such a path writes outside the folder that was meant.",
    place: "entry of resource-dump-manifest",
    valid: '<rs:md path="/sheets/danube.tif" type="image/tiff"/>',
    invalid: '<rs:md path="/../danube.tif" type="image/tiff"/>',
  },
  V17: {
    why: "It names a place in a package, and here there is none.",
    place: "entry of change-list",
    valid: '<rs:md change="updated"/>',
    invalid: '<rs:md change="updated" path="/sheets/danube.tif"/>',
  },
  V18: {
    why: "A reader undoes this coding to get the resource; a character set is part of type.",
    place: "entry of resource-list",
    valid: '<rs:md encoding="gzip"/>',
    invalid: '<rs:md encoding="utf-8"/>',
  },
  V19: {
    why: "Readers know these seven words and no others.",
    place: "entry of resource-list",
    valid: "<changefreq>weekly</changefreq>",
    invalid: "<changefreq>often</changefreq>",
  },
  V20: {
    why: "A reader that does not know the word does nothing: the resource stays as it was, or stays although it is gone.",
    place: "entry of change-list",
    valid: '<rs:md change="deleted"/>',
    invalid: '<rs:md change="removed"/>',
  },
};
