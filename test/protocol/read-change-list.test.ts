import { expect, test } from "vitest";
import { defaultLimits } from "../../src/protocol/reading-limits.ts";
import { createChangeListReader, isChangeList } from "../../src/protocol/read-change-list.ts";

const names =
  'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"';
const list = (entries: string, metadata = '<rs:md capability="changelist" from="2026-01-01T00:00:00Z"/>') =>
  `<?xml version="1.0"?>\n<urlset ${names}>${metadata}\n${entries}\n</urlset>`;
const entry = (inside: string, loc = "https://e.org/1") => `<url><loc>${loc}</loc>${inside}</url>`;

function read(text: string) {
  const reader = createChangeListReader(defaultLimits);
  const listed = reader.write(Buffer.from(text));
  return { listed, reading: reader.end() };
}
const errorsOf = (text: string) => {
  const { reading } = read(text);
  return reading.kind === "read" ? [] : reading.faults.filter(({ severity }) => severity === "error");
};

test("an entry is read with all that a notification can carry on", () => {
  const { listed, reading } = read(
    list(
      entry(
        `<lastmod>2026-01-01</lastmod><rs:md change="updated" datetime="2026-01-02T01:00:00.5+01:00" hash="md5:1584abdf8ebdc9802ac0c6a7402c03b6" length="8" type="a/b"/><rs:ln rel="describedby" href="https://e.org/d"/>`,
      ),
    ),
  );
  expect(reading).toMatchObject({ kind: "read", head: { form: "urlset" } });
  expect(listed).toMatchObject([
    {
      kind: "change",
      uri: "https://e.org/1",
      change: "updated",
      lastmod: "2026-01-01",
      representation: { hash: "md5:1584abdf8ebdc9802ac0c6a7402c03b6", length: "8", type: "a/b" },
      links: [{ rel: "describedby", href: "https://e.org/d" }],
    },
  ]);
});

test("lists without from, unsorted, with lastmod alone (core 0.9) or with no time at all are of use", () => {
  const { listed, reading } = read(
    list(
      entry('<lastmod>2026-01-02T00:00:00Z</lastmod><rs:md change="created"/>') +
        entry('<rs:md change="deleted" datetime="2026-01-01T00:00:00Z"/>') +
        entry('<rs:md change="updated"/>'),
      '<rs:md capability="changelist" until="2026-01-03T00:00:00Z"/>',
    ),
  );
  expect(reading.kind).toBe("read");
  const times = listed.map((each) => (each.kind === "change" ? each.at : ""));
  expect(times[0] && times[1] && times[0] > times[1]).toBe(true);
  expect(times[2]).toBeUndefined();
});

test("an index names its lists with their intervals", () => {
  const { listed, reading } = read(
    `<sitemapindex ${names}><rs:md capability="changelist" from="2026-01-01T00:00:00Z"/>
<sitemap><loc>https://e.org/1.xml</loc><rs:md from="2026-01-01T00:00:00Z" until="2026-01-02T00:00:00Z"/></sitemap>
<sitemap><loc>https://e.org/2.xml</loc><rs:md from="2026-01-02T00:00:00Z"/></sitemap></sitemapindex>`,
  );
  expect(reading).toMatchObject({ kind: "read", head: { form: "sitemapindex" } });
  expect(listed).toMatchObject([
    { kind: "list", url: "https://e.org/1.xml", until: expect.any(String) },
    { kind: "list", url: "https://e.org/2.xml", until: undefined },
  ]);
});

test("what is no Change List, or has entries that tell no change, is refused, with the place", () => {
  const resourceList = list("", '<rs:md capability="resourcelist" at="2026-01-01T00:00:00Z"/>');
  expect(errorsOf(resourceList)[0]?.message).toContain("send a Change List, or a Change List Index");
  expect(errorsOf(list(`${entry('<rs:md change="updated"/>')}\n${entry("")}`))).toMatchObject([
    { rule: "CL01", line: 4, path: "/urlset/url[2]" },
  ]);
  expect(errorsOf(list("<url><loc>"))).toMatchObject([{ rule: "X01" }]);
  expect(errorsOf(list(entry('<rs:md change="moved"/>')))).not.toEqual([]);
});

test("a Change List is recognised by its capability, whatever follows", async () => {
  const index = `<sitemapindex ${names}><rs:md capability="changelist"/><sitemap><loc>a`;
  expect(await isChangeList(Buffer.from(list("")))).toBe(true);
  expect(await isChangeList(Buffer.from(`${index}</loc></sitemap></sitemapindex>`))).toBe(true);
  expect(await isChangeList(Buffer.from(list("", '<rs:md capability="change-notification"/>')))).toBe(false);
  expect(await isChangeList(Buffer.from("<feed/>"))).toBe(false);
  expect(await isChangeList(Buffer.from("{}"))).toBe(false);
});
