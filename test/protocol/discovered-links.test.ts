import { describe, expect, test } from "vitest";
import { discoverLinks } from "../../src/protocol/discovered-links.ts";

const url = "https://blog.example.org/news/feed";

function discover(body: string | Buffer, contentType: string, linkHeader?: string) {
  return discoverLinks({ url, linkHeader, contentType, body: Buffer.from(body) });
}

const both = '<https://hub.example/>; rel="hub", <https://blog.example.org/canonical>; rel="self"';
const none = { self: undefined, hubs: [] };

describe("Link headers (WebSub §4)", () => {
  const self = "https://blog.example.org/canonical";
  test.each([
    ["one combined field", both, { self, hubs: ["https://hub.example/"] }],
    ["self first", `<${self}>; rel="self", <https://hub.example/>; rel="hub"`, { self }],
    ["without quotes, in another case", `<${self}>; REL=Self`, { self, hubs: [] }],
    ["several relations in one", `<${self}>; rel="hub self"`, { self, hubs: [self] }],
    [
      "several hubs, one of them twice",
      "<https://a.example/>;rel=hub, <https://b.example/>;rel=hub, <https://a.example/>;rel=hub",
      { hubs: ["https://a.example/", "https://b.example/"] },
    ],
    ["relative URLs", '</hub>; rel="hub", <?page=1>; rel="self"', { self: `${url}?page=1` }],
    [
      "as the publisher wrote it",
      "<HTTPS://Blog.Example.org/%7Ea>;rel=self",
      { self: "HTTPS://Blog.Example.org/%7Ea" },
    ],
    ["a link of another resource", `<${self}>; rel="self"; anchor="#part"`, none],
    ["what is not http", "<javascript:alert(1)>;rel=self, <mailto:a@b>;rel=hub", none],
    ["nonsense", "rel=self; <, ;;;", none],
  ])("%s", (_name, header, expected) => {
    expect(discover("", "text/plain", header)).toMatchObject(expected);
  });

  test("come before links in the document, which fill in what they leave out", () => {
    const html = "<link rel=self href=/body><link rel=hub href=https://body.example/>";
    expect(discover(html, "text/html", both)).toEqual({ self, hubs: ["https://hub.example/"] });
    expect(discover(html, "text/html", `<${self}>;rel=self`)).toEqual({
      self,
      hubs: ["https://body.example/"],
    });
    expect(discover(html, "text/html", "<https://hub.example/>;rel=hub").self).toBe(
      "https://blog.example.org/body",
    );
  });
});

const atom = (inside: string, attributes = "") =>
  `<?xml version="1.0"?>\n<feed xmlns="http://www.w3.org/2005/Atom" ${attributes}>${inside}</feed>`;
const links = '<link rel="self" href="/atom"/><link rel="HUB" href="https://hub.example/?a=1&amp;b=2"/>';
const found = { self: "https://blog.example.org/atom", hubs: ["https://hub.example/?a=1&b=2"] };

describe("XML", () => {
  const rss = (inside: string) =>
    `<rss version="2.0" xmlns:a="http://www.w3.org/2005/Atom"><channel><title>x</title>${inside}</channel></rss>`;
  const prefixed = links.replaceAll("<link", "<a:link");
  test.each([
    ["Atom", "application/atom+xml; charset=utf-8", atom(`<title>News</title>${links}`), found],
    ["Atom behind entries", "application/atom+xml", atom(`<entry><id>1</id></entry>${links}`), found],
    ["links of entries do not count", "application/xml", atom(`<entry>${links}</entry>`), none],
    ["RSS", "application/rss+xml", rss(prefixed), found],
    ["RSS of items only", "text/xml", rss(`<item>${prefixed}</item>`), none],
    ["RSS's own link is no Atom link", "text/xml", rss('<link rel="self">/x</link>'), none],
    [
      "xml:base",
      "text/xml",
      atom(links, 'xml:base="https://other.example/dir/"'),
      { self: "https://other.example/atom" },
    ],
    ["a link without rel", "text/xml", atom('<link href="/x"/>'), none],
    ["a document that breaks off", "text/xml", atom(links).slice(0, -7), found],
    ["an entity that nobody declares", "text/xml", atom(`${links}<title>&nbsp;</title>`), found],
    ["a doctype", "text/xml", atom(links).replace("\n", '<!DOCTYPE feed [<!ENTITY a "b">]>'), found],
    ["links in a comment", "text/xml", atom(`<!-- ${links} -->`), none],
    ["another namespace", "text/xml", `<feed>${links}</feed>`, none],
    ["no XML at all", "text/xml", "not XML", none],
    ["JSON with XML in it", "application/json", atom(links), none],
  ])("%s", (_name, type, body, expected) => {
    expect(discover(body, type)).toMatchObject(expected);
  });

  test("in UTF-16, and in what its type declares", () => {
    expect(discover(Buffer.from(`\uFEFF${atom(links)}`, "utf16le"), "application/xml")).toEqual(found);
    expect(
      discover(Buffer.from(atom(`<title>\u00e4</title>${links}`), "latin1"), "text/xml;charset=iso-8859-1"),
    ).toEqual(found);
    expect(discover(atom(links), "text/xml;charset=no-such-charset")).toEqual(found);
  });
});

describe("HTML", () => {
  const page = '<link rel="self" href="/atom"><link href=https://hub.example/?a=1&amp;b=2 rel=\'hub\'>';
  test.each([
    [
      "a whole page",
      `<!doctype html><html lang=en><head><meta charset=utf-8>${page}</head><body></body></html>`,
      found,
    ],
    ["without the tags that may be left out", `<title>x</title>${page}<p>text`, found],
    [
      "in capitals, over lines, with slashes",
      '<LINK\n REL=Self\n HREF="/atom" /><link/rel="hub"/href="https://hub.example/?a=1&#38;b=2">',
      found,
    ],
    ["in the body", `<head></head><body>${page}`, none],
    ["behind the head", `<head></head>${page}`, none],
    ["behind text, which begins the body", `<head>text${page}`, none],
    ["behind an element of the body", `<head><div></div>${page}`, none],
    ["in a comment", `<head><!-- ${page} --></head>`, none],
    ["behind comments that end early", `<head><!--><!---><!-- --!>${page}</head>`, found],
    ["in a script", `<head><script>document.write('${page}')</script></head>`, none],
    ["in a title", `<title>${page}</title>`, none],
    ["in a style that looks closed", `<head><style></styles>${page}</style></head>`, none],
    ["in a template", `<head><template><div>text<template></template>${page}</template></head>`, none],
    ["behind a template", `<head><template><p>text</template>${page}</head>`, found],
    ["in noscript", `<head><noscript>${page}</noscript></head>`, found],
    ["in an attribute", `<head><meta content='${page.replaceAll("'", "")}'></head>`, none],
    [
      "with a base",
      `<head>${page}<base href="https://other.example/"></head>`,
      { self: "https://other.example/atom" },
    ],
    [
      "the first of a repeated attribute",
      "<link rel=self href=/atom href=/other rel=hub>",
      { self: found.self, hubs: [] },
    ],
    ["a tag that never ends", `<head><link rel=self href="/atom`, none],
    [
      "relations among others",
      '<link rel="alternate SELF  hub" href="/atom">',
      { self: found.self, hubs: [found.self] },
    ],
    ["nothing", "", none],
  ])("%s", (_name, body, expected) => {
    expect(discover(body, "text/html; charset=utf-8")).toMatchObject(expected);
  });

  test.each([
    ["text/html", "<".repeat(500_000)],
    ["text/html", "<!--".repeat(200_000)],
    ["text/html", "<link ".repeat(150_000)],
    ["text/html", `<link ${"a ".repeat(400_000)}`],
    ["text/html", `<link ${"a=' ".repeat(200_000)}`],
    ["text/html", `<link a${" ".repeat(900_000)}`],
    ["text/html", `<link a=${" ".repeat(900_000)}`],
    ["text/html", `<link ${"/".repeat(900_000)}`],
    ["text/html", "<template>".repeat(90_000)],
    ["text/html", `<template>${"<x".repeat(400_000)}`],
    ["text/html", `<template>${"< ".repeat(400_000)}`],
    ["text/html", "<script></scrip".repeat(60_000)],
    ["text/html", "<title></title ".repeat(60_000)],
    ["text/html", "<!".repeat(400_000)],
    ["text/xml", "<a>".repeat(300_000)],
    ["text/xml", `<a ${Array.from({ length: 90_000 }, (_, n) => `b${n}='c'`).join(" ")}`],
    ["text/xml", "<!--".repeat(200_000)],
    ["text/xml", `<!DOCTYPE a [${'<!ENTITY a "b">'.repeat(60_000)}`],
  ])("a hostile page takes no longer than its length asks for: %s %.20s", (type, body) => {
    const begun = performance.now();
    discover(body, type);
    expect(performance.now() - begun).toBeLessThan(4000);
  });
});
