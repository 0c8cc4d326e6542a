import { expect, test } from "vitest";
import { formatLinkHeader, parseLinkHeader } from "../../src/protocol/link-header.ts";

const topic = { href: "http://e.org/t", rels: ["self"], anchor: undefined };
const hub = { href: "http://h.org/hub", rels: ["hub"], anchor: undefined };

test("H66: the combined field has single spaces", () => {
  const links = [
    { href: "http://h.org/hub", rel: "hub" },
    { href: "http://e.org/t", rel: "self" },
  ];
  expect(formatLinkHeader(links)).toBe('<http://h.org/hub>; rel="hub", <http://e.org/t>; rel="self"');
});

test("a URL cannot break out of its brackets or of the field", () => {
  expect(formatLinkHeader([{ href: 'http://e.org/ä>; rel="hub"\r\nX: 1', rel: "self" }])).toBe(
    '<http://e.org/%C3%A4%3E;%20rel="hub"%0D%0AX:%201>; rel="self"',
  );
});

test("what is formatted is read back", () => {
  const field = formatLinkHeader([
    { href: "http://h.org/hub", rel: "hub" },
    { href: "http://e.org/t", rel: "self" },
  ]);
  expect(parseLinkHeader([field])).toEqual([hub, topic]);
});

test.each([
  ["quoted relations", ['<http://e.org/t>; rel="self", <http://h.org/hub>; rel="hub"']],
  ["bare relations", ["<http://e.org/t>;rel=self, <http://h.org/hub>;rel=hub"]],
  [
    "spaces around semicolons, equals signs and commas",
    ['<http://e.org/t> ; rel = "self" , <http://h.org/hub> ;rel =hub'],
  ],
  ["no space after a comma", ['<http://e.org/t>;rel="self",<http://h.org/hub>;rel="hub"']],
  ["several fields", ['<http://e.org/t>; rel="self"', "<http://h.org/hub>; rel=hub"]],
  ["any case of names and relations", ['<http://e.org/t>; REL="Self", <http://h.org/hub>; Rel=HUB']],
  [
    "other parameters before and after",
    ['<http://e.org/t>; title="a, b; \\"c\\""; rel="self"; type=x, <http://h.org/hub>; x; rel=hub'],
  ],
  ["empty elements", [', ,<http://e.org/t>; rel="self",, <http://h.org/hub>; rel="hub",']],
])("reading takes %s (H06, RFC 8288)", (_what, fields) => {
  expect(parseLinkHeader(fields)).toEqual([topic, hub]);
});

test("one link may have several relations (H06)", () => {
  expect(parseLinkHeader(['<http://e.org/t>; rel="self  alternate"'])[0]?.rels).toEqual([
    "self",
    "alternate",
  ]);
});

test("a comma or a semicolon inside the brackets belongs to the URL (H06)", () => {
  expect(parseLinkHeader(["<http://e.org/a,b;c>; rel=self"])).toEqual([
    { href: "http://e.org/a,b;c", rels: ["self"], anchor: undefined },
  ]);
});

test("of a repeated rel the first one counts (RFC 8288 §3.3)", () => {
  expect(parseLinkHeader(["<http://e.org/t>; rel=self; rel=hub"])).toEqual([topic]);
});

test("an anchor is told, since the link then starts elsewhere (RFC 8288 §3.2)", () => {
  expect(parseLinkHeader(['<http://e.org/t>; rel=self; anchor="/other"'])[0]?.anchor).toBe("/other");
});

test("a link without a semicolon before rel has no relation (H06)", () => {
  expect(parseLinkHeader(["<http://e.org/t> rel=self"])).toEqual([{ ...topic, rels: [] }]);
});

test.each([[""], ["nonsense"], ["<http://e.org/t"], ['"<a>"; rel=self'], ["; rel=self"]])(
  "%j holds no link",
  (field) => {
    expect(parseLinkHeader([field])).toEqual([]);
  },
);

test.each([
  ["open brackets", "<".repeat(100_000)],
  ["semicolons", `<a>${" ;".repeat(50_000)}`],
  ["spaces", `<a>${" ".repeat(100_000)}x`],
  ["an open quotation", `<a>; title="${"\\a".repeat(50_000)}`],
])("a field of 100 kB of %s is read in linear time", (_what, field) => {
  const start = performance.now();
  parseLinkHeader([field]);
  expect(performance.now() - start).toBeLessThan(2000);
});
