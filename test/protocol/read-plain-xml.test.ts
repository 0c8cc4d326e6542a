import { deepStrictEqual } from "node:assert/strict";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readPlainXml } from "../../src/protocol/read-plain-xml.ts";
import { readAnyXml } from "../../src/protocol/read-xml.ts";
import { defaultLimits } from "../../src/protocol/reading-limits.ts";
import { decodeUtf8 } from "../../src/protocol/utf8-text.ts";
import { fixture } from "./documents.ts";
import { goodDocument, hostileDocuments } from "./hostile-documents.ts";

const limits = { ...defaultLimits, depth: 6, attributes: 5, valueLength: 300, elements: 60, entries: 12 };

/** Whether the document was taken; what is taken must be what saxes makes of it. */
function isTaken(bytes: Uint8Array, within = limits): boolean {
  const decoded = decodeUtf8(bytes);
  if (decoded.kind === "refused") return false;
  const plain = readPlainXml(decoded.text, within);
  if (plain === undefined) return false;
  const slow = readAnyXml(decoded.text, within);
  const { root, strays } = slow.kind === "read" ? slow.document : { root: undefined, strays: [] };
  deepStrictEqual({ root: plain.root, strays: plain.strays }, { root, strays }, decoded.text.slice(0, 2000));
  return true;
}

const names = ["url", "loc", "rs:md", "rs:ln", "x:a", "lastmod", "a.b-c"];
const urlset = (inside: string, more = ""): Buffer =>
  Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"${more}>${inside}</urlset>`,
  );

describe("what the reader of plain XML takes", () => {
  test.each(["change-notification.xml", "framework-notification-of-several.xml"])(
    "is the fixture %s, as saxes reads it",
    (name) => {
      expect(isTaken(fixture(name), defaultLimits)).toBe(true);
    },
  );

  test.each([
    ["the five references", "<url><loc>a?b&amp;c&lt;&gt;&quot;&apos;</loc><rs:md a='&amp;&quot;\"'/></url>"],
    ["white space in values and tags", '<url><loc\n>x</loc  ><rs:md hash="a\n\tb"\n\tlength="1" /></url>'],
    ["text on both sides of a comment", "<url><loc> a<!-- b -->c<!----> </loc> x </url>"],
    ["namespaces that end where their element does", '<x:a xmlns:x="urn:x"><x:b x:c="1" d="2"/></x:a><url/>'],
    ["a default namespace within", '<a xmlns="urn:a"><url/></a><url><loc>é</loc></url>'],
    ["a greater-than in a value", '<url><rs:md a=">" b="/>"/></url>'],
  ])("is %s", (_, inside) => {
    expect(isTaken(urlset(inside))).toBe(true);
  });

  test.each([
    ["a comment that does not end for a mebibyte", `<url><!--${"- ".repeat(600_000)}--></url>`],
    ["comments one after the other for a mebibyte", `<url>${"<!---->".repeat(200_000)}</url>`],
    ["white space of a mebibyte in a tag", `<url${" ".repeat(1_100_000)}/>`],
    ["white space of a mebibyte in an entry", `<url>${" ".repeat(1_100_000)}</url>`],
    ["more tags than its elements can have", `<x:a xmlns:x="urn:x">${"<x:b/>".repeat(200)}</x:a>`],
    ["a prefix that is not declared", "<y:a/>"],
    ["an attribute twice", '<url a="1" a="2"/>'],
    ["two prefixed attributes, which may be one", '<x:a xmlns:x="urn:x" xmlns:y="urn:x" x:b="1" y:b="2"/>'],
    ["a tag that another one ends", "<url></loc>"],
    ["a name that goes on", "<url></urls>"],
    ["two hyphens in a comment", "<!-- -- -->"],
    ["the end of a CDATA section in text", "<loc>]]></loc>"],
    ["an unknown reference", "<loc>&nbsp;</loc>"],
    ["a character reference", "<loc>&#65;</loc>"],
    ["a less-than in a value", '<url a="<"/>'],
    ["no space between attributes", '<url a="1"b="2"/>'],
    ["a control character", "<loc>\u0001</loc>"],
    ["a carriage return", "<loc>\r\n</loc>"],
    ["a processing instruction", "<?a b?>"],
    ["the prefix xmlns on an element", "<xmlns:a/>"],
    ["a prefix without a namespace", '<url xmlns:x=""/>'],
    ["the prefix xml", '<url xml:lang="en"/>'],
    ["a digit after the colon", "<rs:1/>"],
    ["more attributes than the limit", '<url a="" b="" c="" d="" e="" f=""/>'],
    ["deeper elements than the limit", "<url>".repeat(6) + "</url>".repeat(6)],
    ["a longer text than the limit", `<loc>${"x".repeat(301)}</loc>`],
  ])("is not %s", (_, inside) => {
    expect(isTaken(urlset(inside))).toBe(false);
  });

  test("is not text around the root, a second root, or a document that breaks off", () => {
    const sound = urlset("<url/>").toString();
    for (const text of [
      `${sound}x`,
      `x${sound}`,
      `${sound}${sound}`,
      `${sound}<a/>`,
      "",
      " ",
      "<a",
      "<!--a-->",
    ])
      expect(isTaken(Buffer.from(text))).toBe(false);
    for (let length = 0; length < sound.length; length += 1)
      expect(isTaken(Buffer.from(sound.slice(0, length)))).toBe(false);
  });
});

describe("what the reader of plain XML takes is what saxes reads", () => {
  test("among documents made to deceive", () => {
    expect(hostileDocuments.filter((document) => isTaken(document)).length).toBeGreaterThan(10);
  });

  test("whatever bytes are exchanged in sound documents", () => {
    const originals = [
      goodDocument,
      fixture("change-notification.xml"),
      urlset('<x:a xmlns:x="urn:x"><x:b x:c="1" d="2"/>t&amp;</x:a><url><loc>é</loc><!-- c --></url>'),
    ];
    const interesting = [...Buffer.from("<>&\"'/=!?-[];:# \n\t\0xa1", "latin1")];
    const change = fc.record({
      at: fc.nat(),
      byte: fc.oneof(fc.constantFrom(...interesting), fc.integer({ min: 32, max: 126 })),
      cut: fc.nat(2),
    });
    let taken = 0;
    fc.assert(
      fc.property(fc.constantFrom(...originals), fc.array(change, { maxLength: 3 }), (original, changes) => {
        let bytes = original;
        for (const { at, byte, cut } of changes) {
          const place = at % bytes.length;
          bytes = Buffer.concat([bytes.subarray(0, place), Buffer.from([byte]), bytes.subarray(place + cut)]);
        }
        if (isTaken(bytes, defaultLimits)) taken += 1;
      }),
      { numRuns: 4000 },
    );
    expect(taken).toBeGreaterThan(500);
  });

  test("whatever pieces of markup are strung together", () => {
    const piece = fc.oneof(
      fc.constantFrom(...names).chain((name) => fc.constantFrom(`<${name}>`, `</${name}>`, `<${name}/>`)),
      fc.constantFrom(..."<>&'\"=/!- \n:ax".split("")),
      fc.constantFrom(
        "<url a=\"b\" c='d'>",
        ' xmlns:x="urn:x"',
        ' xmlns="urn:d"',
        '<x:a xmlns:x="http://www.sitemaps.org/schemas/sitemap/0.9/">',
        "&amp;",
        "<!--",
        "-->",
        "text",
        "]]>",
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.boolean(), (pieces, isBare) => {
        const inside = pieces.join("");
        isTaken(isBare ? Buffer.from(`<a>${inside}</a>`) : urlset(inside, ' xmlns:x="urn:x"'));
      }),
      { numRuns: 6000 },
    );
  });
});
