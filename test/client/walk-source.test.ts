import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { walkSource } from "../../src/client/walk-source.ts";
import { but, capabilityList, faultySources, textOf, wellKnown } from "./faulty-sources.ts";
import { goodSource, link, md, sitemapindex, type SourceAnswer, startSource } from "./source-server.ts";

test("a Source without a fault: every document is visited once and valid, and nothing is found", async () => {
  await using source = await startSource(goodSource);
  const walk = await walkSource(source.origin);
  expect(walk.findings).toEqual([]);
  expect(walk.skipped).toEqual([]);
  const paths = walk.documents.map(({ url }) => url.replace(source.origin, ""));
  expect(paths.toSorted()).toEqual(Object.keys(goodSource("")).toSorted());
  expect(walk.documents.filter(({ valid, faults }) => !valid || faults.length > 0)).toEqual([]);
  expect(source.requests.toSorted()).toEqual(
    paths.map((path) => `${path.startsWith("/topics") ? "HEAD" : "GET"} ${path}`).toSorted(),
  );
  expect(source.mostAtOnce).toBeLessThanOrEqual(4);
});

test("a Capability List and a single Change List lead to the whole Source as well", async () => {
  await using source = await startSource(goodSource);
  for (const start of [capabilityList, "/set/changelist-2.xml"]) {
    const walk = await walkSource(`${source.origin}${start}`);
    expect(walk.documents).toHaveLength(10);
    expect(walk.findings).toEqual([]);
  }
});

for (const { rule, title, severity, says, pages, start = "/" } of faultySources) {
  test(`${rule}: ${title}`, async () => {
    await using source = await startSource(pages);
    const { findings } = await walkSource(`${source.origin}${start}`);
    expect(findings.map(({ rule, severity }) => `${rule} ${severity}`)).toEqual([`${rule} ${severity}`]);
    expect(findings[0]?.message).toMatch(says);
  });
}

test("an origin without a Source Description breaks S15, and the place itself could not be read", async () => {
  await using source = await startSource(() => ({}));
  const { documents, findings } = await walkSource(source.origin);
  expect(documents).toMatchObject([{ valid: false, type: null, error: "the server answers 404" }]);
  expect(findings).toMatchObject([{ rule: "S15", severity: "error" }]);
});

test("redirects are followed and told; the document behind two URLs is one", async () => {
  const redirect = (location: string): SourceAnswer => ({ status: 301, headers: { location } });
  await using source = await startSource(
    but((pages, origin) => ({
      [wellKnown]: redirect("/description.xml"),
      "/description.xml": textOf(pages, wellKnown),
      [capabilityList]: textOf(pages, capabilityList).replace(
        `${origin}/set/resourcelist.xml`,
        `${origin}/old/rl.xml`,
      ),
      "/old/rl.xml": redirect(`${origin}/set/resourcelist.xml`),
    })),
  );
  const { documents, findings } = await walkSource(source.origin);
  expect(findings).toEqual([]);
  const redirected = documents.filter(({ redirects }) => redirects.length > 0);
  expect(redirected.map(({ url }) => url.replace(source.origin, ""))).toEqual([wellKnown, "/old/rl.xml"]);
});

test("a sixth redirect, and a redirect to another origin, are refused", async () => {
  await using elsewhere = await startSource(goodSource);
  const redirect = (location: string): SourceAnswer => ({ status: 302, headers: { location } });
  await using source = await startSource(
    but(() => ({
      "/set/resourcelist.xml": redirect("/set/resourcelist.xml?again"),
      "/set/resourcelist.xml?again": redirect("/set/resourcelist.xml"),
      "/set/resourcedump.xml": redirect(`${elsewhere.origin}/set/resourcedump.xml`),
    })),
  );
  const { documents } = await walkSource(source.origin);
  const errors = documents.flatMap(({ error }) => error ?? []);
  expect(errors.find((each) => each.includes("more than 5 redirects"))).toBeDefined();
  expect(
    errors.find((each) => each.includes("on another origin; allow that with --other-origins")),
  ).toBeDefined();
  expect(elsewhere.requests).toEqual([]);
});

test("links to other origins are followed only where that is asked for", async () => {
  await using elsewhere = await startSource(goodSource);
  const pages = but((pages, origin) => ({
    [capabilityList]: textOf(pages, capabilityList).replace(
      `${origin}/set/resourcelist.xml`,
      `${elsewhere.origin}/set/resourcelist.xml`,
    ),
  }));
  await using source = await startSource(pages);
  const near = await walkSource(source.origin);
  expect(near.skipped).toMatchObject([
    { url: `${elsewhere.origin}/set/resourcelist.xml`, limit: false, why: expect.stringContaining("origin") },
  ]);
  expect(elsewhere.requests).toEqual([]);
  const far = await walkSource(source.origin, { otherOrigins: true });
  expect(far.skipped).toEqual([]);
  expect(elsewhere.requests).toContain("GET /set/resourcelist.xml");
});

test("a missing document is told with the one that links to it, and the rest is still judged", async () => {
  await using source = await startSource(but(() => ({ "/set/manifest.xml": { status: 404 } })));
  const { documents, findings } = await walkSource(source.origin);
  expect(documents.find(({ error }) => error !== undefined)).toMatchObject({
    url: `${source.origin}/set/manifest.xml`,
    linkedFrom: `${source.origin}/set/resourcedump.xml`,
    error: "the server answers 404",
  });
  expect(documents).toHaveLength(10);
  expect(findings).toEqual([]);
});

test("links that never end are followed up to a limit, and links in a circle once", async () => {
  await using source = await startSource((origin) =>
    Object.fromEntries(
      Array.from({ length: 50 }, (_, at) => [
        `/${at}.xml`,
        sitemapindex(
          link("index", `${origin}/0.xml`),
          md('capability="resourcelist"'),
          `<sitemap><loc>${origin}/${at + 1}.xml</loc></sitemap>`,
        ),
      ]),
    ),
  );
  const { documents, skipped } = await walkSource(`${source.origin}/0.xml`, { maxDocuments: 10 });
  expect(documents).toHaveLength(9); // and the well-known place, where nothing stands
  expect(skipped).toMatchObject([{ url: `${source.origin}/9.xml`, limit: true }]);
  expect(source.requests).toHaveLength(10);
});

test("a document that never ends is given up in time", async () => {
  await using source = await startSource(but(() => ({ "/set/changelist-1.xml": { hang: true } })));
  const { documents } = await walkSource(source.origin, { documentTimeout: 400 });
  expect(documents.find(({ error }) => error !== undefined)).toMatchObject({
    url: `${source.origin}/set/changelist-1.xml`,
    error: "no complete answer within 0.4 seconds",
  });
});

test("when the time of the walk is over, the rest is told as not fetched", async () => {
  await using source = await startSource(but(() => ({ "/set/resourcelist.xml": { hang: true } })));
  const { documents, skipped } = await walkSource(source.origin, { timeout: 500 });
  expect(documents.find(({ error }) => error !== undefined)?.url).toBe(
    `${source.origin}/set/resourcelist.xml`,
  );
  expect(skipped.length).toBeGreaterThan(0);
  for (const { limit, why } of skipped)
    expect({ limit, why }).toEqual({ limit: true, why: "comes after 0.5 seconds of walking" });
  const none = await walkSource(source.origin, { timeout: 0 });
  expect(none.documents).toMatchObject([{ error: "the 0 seconds of the walk were over" }]);
});

test("a packed document is unpacked, and an ill-formed one is invalid", async () => {
  await using source = await startSource(
    but((pages) => ({
      "/set/resourcelist.xml": { body: gzipSync(textOf(pages, "/set/resourcelist.xml")) },
      "/set/manifest.xml": "<urlset>",
    })),
  );
  const { documents } = await walkSource(source.origin);
  const at = (path: string) => documents.find(({ url }) => url.endsWith(path));
  expect(at("/set/resourcelist.xml")).toMatchObject({ valid: true, type: "resource-list" });
  expect(at("/set/manifest.xml")).toMatchObject({ valid: false, type: null, faults: [{ rule: "X01" }] });
});

test("only http URLs can be walked from", async () => {
  await expect(walkSource("file:///etc/passwd")).rejects.toThrow("is no http(s) URL");
});
