import * as fc from "fast-check";
import { expect, test } from "vitest";
import { defaultLimits } from "../../src/protocol/reading-limits.ts";
import { createResourceListReader } from "../../src/protocol/read-resource-list.ts";

const names =
  'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"';
const at = 'at="2026-01-01T00:00:00Z"';
const up = '<rs:ln rel="up" href="https://e.org/cap.xml"/>';

function list(entries: string, metadata = `<rs:md capability="resourcelist" ${at}/>`): string {
  return `<?xml version="1.0"?>\n<urlset ${names}>${up}${metadata}\n${entries}\n</urlset>`;
}

function readIn(pieces: readonly Uint8Array[], limits = {}) {
  const reader = createResourceListReader({ ...defaultLimits, ...limits });
  const resources = pieces.flatMap((piece) => [...reader.write(piece)]);
  return { resources, reading: reader.end() };
}
const read = (text: string | Buffer, limits = {}) => readIn([Buffer.from(text)], limits);
const rulesOf = (text: string | Buffer, limits = {}): string[] => {
  const { reading } = read(text, limits);
  return reading.kind === "refused"
    ? reading.faults.filter(({ severity }) => severity === "error").map(({ rule }) => rule)
    : [];
};

const whole = list(
  "<url><loc> https://e.org/ä?a=1&amp;b=2 </loc><lastmod>2026-01-01T00:00:00Z</lastmod>" +
    '<changefreq>daily</changefreq><rs:md hash="md5:1584abdf8ebdc9802ac0c6a7402c03b6" length="8" type="a/b"/>' +
    '<rs:ln rel="describedby" href="https://e.org/?c&amp;d" type="text/html;p=&quot;q&quot;"/><x:y xmlns:x="urn:x">foreign</x:y></url>' +
    "<url><loc><![CDATA[https://e.org/2]]></loc></url>",
);

test("an entry is written again with all that the standard knows of it", () => {
  const { resources, reading } = read(whole);
  expect(reading).toMatchObject({ kind: "read", head: { form: "urlset", completed: undefined } });
  expect(resources.map(({ uri }) => uri)).toEqual(["https://e.org/ä?a=1&b=2", "https://e.org/2"]);
  expect(resources[0]?.xml).toBe(`  <url>
    <loc>https://e.org/ä?a=1&amp;b=2</loc>
    <lastmod>2026-01-01T00:00:00Z</lastmod>
    <changefreq>daily</changefreq>
    <rs:md hash="md5:1584abdf8ebdc9802ac0c6a7402c03b6" length="8" type="a/b"/>
    <rs:ln rel="describedby" href="https://e.org/?c&amp;d" type="text/html;p=&quot;q&quot;"/>
  </url>
`);
});

test("it does not matter where the pieces end", () => {
  const bytes = Buffer.from(whole);
  const all = read(whole);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: bytes.length }), { maxLength: 20 }), (cuts) => {
      const ends = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
      const pieces = ends.slice(1).map((end, index) => bytes.subarray(ends[index], end));
      expect(readIn(pieces)).toEqual(all);
    }),
    { numRuns: 200 },
  );
});

test("what no list can be made of is refused by the rule that says so", () => {
  const url = (content: string): string => list(`<url>${content}</url>`);
  expect(rulesOf("")).toEqual(["X01"]);
  expect(rulesOf(whole.slice(0, -4))).toEqual(["X01"]);
  expect(rulesOf("<urlset/> <urlset/>")).toEqual(["X01"]);
  expect(rulesOf(`<!DOCTYPE urlset [<!ENTITY a "b">]>${whole.slice(22)}`)).toEqual(["X03"]);
  expect(rulesOf(url("<loc>https://e.org/&constructor;</loc>"))).toEqual(["X01"]);
  expect(rulesOf(Buffer.from(whole, "latin1"))).toEqual(["X02"]);
  expect(rulesOf(whole.replace('"1.0"', '"1.0" encoding="ISO-8859-1"'))).toEqual(["X02"]);
  expect(rulesOf(url("<loc/>"))).toContain("C09");
  expect(rulesOf(url('<loc>https://e.org/1</loc><rs:md length="-1"/>'))).toHaveLength(1);
  expect(rulesOf(list("", '<rs:md capability="resourcelist"/>'))).toContain("T01");
  expect(rulesOf(list("", `<rs:md capability="changelist" ${at}/>`))).toContain("S01");
  expect(rulesOf(list("", ""))).toContain("C01");
  expect(
    rulesOf(list("", `<rs:md capability="resourcelist" ${at} completed="2025-01-01T00:00:00Z"/>`)),
  ).toContain("T05");
});

test("a document may not cost more than it should", () => {
  const deep = "<a>".repeat(100_000);
  expect(rulesOf(list(`<url><loc>https://e.org/1</loc>${deep}`))).toEqual(["W01"]);
  expect(rulesOf(list("<url><loc>https://e.org/1</loc></url>".repeat(3)), { entries: 2 })).toEqual(["X04"]);
  expect(rulesOf(whole, { bytes: 100 })).toEqual(["X05"]);
  expect(read(whole, { bytes: 100 }).reading).toMatchObject({ because: "too-large" });
});

test("many faults are listed up to a hundred, each with its own entry and line, and then counted", () => {
  const { reading, resources } = read(list("<url><loc>here</loc></url>\n".repeat(300)));
  if (reading.kind !== "refused") throw new Error(reading.kind);
  expect(resources).toEqual([]);
  expect(reading.faults).toHaveLength(101);
  expect(reading.faults[41]).toMatchObject({ rule: "C10", line: 44, path: "/urlset/url[42]/loc" });
  expect(reading.faults.at(-1)?.message).toMatch(/^\d+ more faults are not listed/);
});

test("a list without an up link is taken with a warning, since the hub writes its own", () => {
  const { reading } = read(list("").replace(up, ""));
  expect(reading).toMatchObject({ kind: "read" });
  expect(reading.kind === "read" && reading.warnings.map(({ rule }) => rule)).toContain("L15");
});
