import { expect, test } from "vitest";
import { parseDocument } from "../../src/protocol/parse-document.ts";
import { type DocumentPart, readEntries, UnreadableDocument } from "../../src/protocol/read-entries.ts";
import { serializeDocument } from "../../src/protocol/serialize-document.ts";
import { datetimeOf, type PlainDocument } from "../../src/protocol/typed-document.ts";
import { CannotBeWritten } from "../../src/protocol/escape-xml.ts";
import { change, change08, fixture, framework08, loc } from "./documents.ts";

function parsed(document: string | Uint8Array) {
  const outcome = parseDocument(document);
  if (outcome.kind === "refused") throw new Error(outcome.faults[0]?.message);
  return outcome;
}

const refusalOf = (document: string | Uint8Array): string => {
  const outcome = parseDocument(document);
  const [fault] = outcome.kind === "refused" ? outcome.faults : [];
  return fault === undefined ? "parsed" : `${fault.rule} ${fault.line}:${fault.column} ${fault.message}`;
};

test("a document is read with its type, head and entries", () => {
  const { document, dropped } = parsed(fixture("capability-list.xml"));
  expect(document.type).toBe("capability-list");
  expect(document.root).toBe("urlset");
  expect(document.metadata).toEqual({ capability: "capabilitylist" });
  expect(document.links.map(({ rel }) => rel)).toContain("up");
  expect(document.entries.every((entry) => entry.loc.startsWith("http"))).toBe(true);
  expect(dropped).toEqual({ elements: 0, attributes: 0, texts: 0 });
});

test("the index of lists is told by its root, and notifications 0.8 by their entries", () => {
  const index = change({ root: "sitemapindex", md: '<rs:md capability="changelist"/>', entries: "" });
  expect(parsed(index).document.type).toBe("change-list-index");
  expect(parsed(change08()).document.type).toBe("change-notification");
  expect(parsed(framework08()).document.type).toBe("framework-notification");
  expect(parsed(change({ md: "", entries: `<url>${loc}</url>` })).document.type).toBe("other");
});

test("datetimes keep their text, and an instant where they are valid; numbers are numbers where they say so", () => {
  const entries = `<url>${loc}<lastmod>yesterday</lastmod>
    <rs:md change="updated" datetime="2026-03-02T09:04:11+01:00" length="8" hash="md5:0"/>
    <rs:ln rel="duplicate" href=" https://mirror.example.org/1 " pri="007" length="12.5"/></url>`;
  const [entry] = parsed(change({ entries })).document.entries;
  expect(entry?.lastmod).toEqual({ text: "yesterday" });
  expect(entry?.metadata?.datetime).toEqual(datetimeOf("2026-03-02T09:04:11+01:00"));
  expect(entry?.metadata?.datetime?.instant).toBe(datetimeOf("2026-03-02T08:04:11Z").instant);
  expect(entry?.metadata?.length).toBe(8);
  expect(entry?.links).toEqual([
    { rel: "duplicate", href: "https://mirror.example.org/1", pri: "007", length: "12.5" },
  ]);
});

test("what breaks a rule but can be read is read; what has no place is dropped and counted", () => {
  const entries = `text<url id="1">${loc}${loc}<x:y xmlns:x="urn:x" a="1"><x:z/></x:y><rs:md change="moved" score="1"/>
    <rs:ln href="https://e.org/no-rel"/><rs:ln rel="via" href="https://e.org/" rs:type="a/b">text</rs:ln></url>
    <url><lastmod>2026</lastmod></url><sitemap>${loc}</sitemap>`;
  const { document, dropped } = parsed(change({ entries }));
  expect(document.entries).toHaveLength(1);
  expect(document.entries[0]?.metadata).toEqual({ change: "moved" });
  expect(document.entries[0]?.links).toEqual([{ rel: "via", href: "https://e.org/" }]);
  // The second loc, x:y with all in it, the link without rel, the url without loc, the sitemap.
  expect(dropped).toEqual({ elements: 5, attributes: 3, texts: 2 });
});

test("a document that cannot be read is refused with its fault and the place", () => {
  expect(refusalOf(change({ entries: "<url>" }))).toMatch(/^X01 1:\d+ .*still open/);
  expect(refusalOf("")).toMatch(/^X01 1:1/);
  expect(refusalOf('<!DOCTYPE a><feed xmlns="urn:a"/>')).toMatch(/^X03 1:1/);
  expect(refusalOf('<feed xmlns="http://www.w3.org/2005/Atom"/>')).toMatch(/^N02 .*<feed>.*urlset/);
  expect(refusalOf(Buffer.from([0xff, 0xfe, 0x3c, 0x00]))).toMatch(/^X02 .*UTF-16/);
  const outcome = parseDocument(change(), { limits: { bytes: 100 } });
  expect(outcome).toMatchObject({ kind: "refused", faults: [{ rule: "X05" }] });
});

async function read(document: string | Uint8Array, limits = {}) {
  const kinds: string[] = [];
  try {
    for await (const part of readEntries(Buffer.from(document), limits)) kinds.push(part.kind);
  } catch (error) {
    if (!(error instanceof UnreadableDocument)) throw error;
    const { rule, line, column } = error.fault;
    return [...kinds, `${rule} ${line}:${column}`];
  }
  return kinds;
}

test("a stream is read as far as it goes; then it throws, so that a part is never taken for the whole", async () => {
  const cut = change().replace("</urlset>", "\n<url>");
  expect(await read(cut)).toEqual(["head", "entry", "X01 2:6"]);
  expect(await read(change())).toEqual(["head", "entry", "end"]);
  expect(await read(change({ entries: "" }))).toEqual(["head", "end"]);
  expect(await read('<?xml version="1.0"?><!DOCTYPE a><a/>')).toEqual([expect.stringMatching(/^X03/)]);
  expect(await read('<?xml version="1.0" encoding="latin1"?><a/>')).toEqual([expect.stringMatching(/^X02/)]);
  expect(await read(Buffer.from([0x3c, 0x61, 0xff]))).toEqual([expect.stringMatching(/^X02/)]);
  expect(await read("<feed/>")).toEqual([expect.stringMatching(/^N02/)]);
  expect(await read("")).toEqual([expect.stringMatching(/^X01/)]);
  expect(await read(change(), { bytes: 10 })).toEqual([expect.stringMatching(/^X05/)]);
  expect(await read(change(), { entries: 0 })).toEqual([expect.stringMatching(/^X04/)]);
  expect(await read(change(), { valueLength: 30 })).toEqual([expect.stringMatching(/^W03/)]);
  expect(await read(change(), { attributes: 1 })).toEqual([expect.stringMatching(/^W02/)]);
});

test("on the way, links behind the entries come too late for the head, and are counted", async () => {
  const late = change({ links: "" }).replace("</urlset>", '<rs:ln rel="up" href="https://e.org/"/></urlset>');
  const parts: DocumentPart[] = [];
  for await (const part of readEntries(Buffer.from(late))) parts.push(part);
  expect(parts.at(0)).toMatchObject({ kind: "head", type: "change-notification", head: { links: [] } });
  expect(parts.at(-1)).toEqual({ kind: "end", dropped: { elements: 1, attributes: 0, texts: 0 } });
  expect(parsed(late).document.links).toHaveLength(1);
});

test("what could not be read again is not written", () => {
  const document = { root: "urlset", links: [], entries: [] } as const;
  const write = (given: Partial<PlainDocument>) => () =>
    serializeDocument({ ...document, type: "other", ...given });
  expect(write({ entries: [{ loc: "https://e.org/\u0000", links: [] }] })).toThrow(CannotBeWritten);
  expect(write({ entries: [{ loc: "https://e.org/\u0000", links: [] }] })).toThrow("U+0000");
  expect(write({ links: [{ rel: "up", href: "\uD800" }] })).toThrow("U+D800");
  expect(write({ type: "change-list", metadata: { capability: "resourcelist" } })).toThrow(
    'type is "change-list", but <urlset> with capability "resourcelist" is read as "resource-list"',
  );
});

test("50,000 entries are read and written within bounds", async () => {
  const { document } = parsed(change());
  const one = document.entries[0]!;
  const many = Array.from({ length: 50_000 }, (_, at) => ({ ...one, loc: `${one.loc}/${at}` }));
  const text = serializeDocument({ ...document, entries: many });
  expect(parsed(text).document.entries).toHaveLength(50_000);
  const parts = await read(text);
  expect(parts).toHaveLength(50_002);
  expect(refusalOf(text.replace("</urlset>", `<url>${loc}</url></urlset>`))).toMatch(/^X04/);
});
