import { describe, expect, test } from "vitest";
import {
  type AcceptedProfile,
  judgeNotification,
  type NotificationKind,
} from "../../src/protocol/judge-notification.ts";
import { parseInstant } from "../../src/protocol/instant.ts";
import { change, change08, faultsOf, fixture, framework, framework08, idsOf, loc } from "./documents.ts";

const judge = (document: string | Uint8Array, profile: AcceptedProfile = "auto", as?: NotificationKind) =>
  judgeNotification(typeof document === "string" ? Buffer.from(document) : document, as, profile);

const oldName = change().replace('"change-notification"', '"changelist-notification"');
const changeList = change().replace('"change-notification"', '"changelist"');

describe("what a valid notification is known by", () => {
  test("kind, profile, number of changes, interval and up link of a change notification", () => {
    expect(judge(fixture("change-notification.xml"))).toEqual({
      kind: "valid",
      warnings: [],
      notification: {
        kind: "change-notification",
        profile: "1.0.1",
        changes: 2,
        interval: { from: parseInstant("2026-03-02T08:00:00Z"), until: parseInstant("2026-03-02T08:15:00Z") },
        up: "https://maps.example.org/catalogue/capabilitylist.xml",
        saysWhen: true,
      },
    });
  });

  test("a framework notification without any time does not say when it happened", () => {
    expect(judge(fixture("framework-notification-of-several.xml"))).toMatchObject({
      notification: { kind: "framework-notification", interval: undefined, up: undefined, saysWhen: false },
    });
  });

  test("lastmod says when, where there is no datetime", () => {
    expect(judge(change08())).toMatchObject({ notification: { profile: "0.8", saysWhen: true } });
  });
});

describe("recognising the profile", () => {
  test.each<[string, string, AcceptedProfile, string | string[]]>([
    ["the name of 1.0, recognised", oldName, "auto", "1.0"],
    ["the name of 1.0, asked for", oldName, "1.0", "1.0"],
    ["the name of 1.0, leniently", oldName, "lenient", "1.0"],
    ["the name of 1.0, strictly", oldName, "1.0.1", ["CN08"]],
    ["1.0.1 where 1.0 is asked for", change(), "1.0", ["CN08"]],
    ["a change list as notification, leniently", changeList, "lenient", "1.0.1"],
    ["a change list as notification", changeList, "auto", ["S01"]],
    ["no rs:md and no datetime", change08(), "auto", "0.8"],
    ["no rs:md, framework", framework08(), "auto", "0.8"],
    ["a Source that forgot rs:md", change({ md: "" }), "auto", ["C01", "CN02", "CN02"]],
  ])("%s", (_, document, profile, expected) => {
    const verdict = judge(document, profile);
    expect(verdict.kind === "valid" ? verdict.notification.profile : idsOf(verdict.faults)).toEqual(expected);
  });

  test("older names are accepted with a warning", () => {
    expect(idsOf(faultsOf(oldName))).toEqual(["CN08?"]);
    expect(idsOf(faultsOf(changeList, undefined, "lenient"))).toEqual(["CN09?"]);
  });

  test("0.8.1 and 0.9 had no interval; leniently that is a warning, half an interval is not", () => {
    const without = change({ md: '<rs:md capability="changelist-notification"/>' });
    expect(idsOf(faultsOf(without, undefined, "lenient"))).toEqual(["CN02?", "CN02?", "CN08?"]);
    const half = change({ md: '<rs:md capability="changelist-notification" from="2026-03-02T08:00:00Z"/>' });
    expect(idsOf(faultsOf(half, undefined, "lenient"))).toContain("CN02");
  });

  test("a misspelt namespace is one fault, not the form of 0.8", () => {
    expect(idsOf(faultsOf(change().replace("/rs/terms/", "/rs/terms")))).toEqual(["N04"]);
    expect(idsOf(faultsOf(change().replace("http://www.sitemaps", "https://www.sitemaps")))).toEqual(["N01"]);
    expect(
      idsOf(faultsOf(change({ namespaces: 'xmlns:rs="http://www.openarchives.org/rs/terms/"' }))),
    ).toEqual(["N01"]);
  });
});

describe("refusals", () => {
  test.each<[string, string | Uint8Array, "unreadable" | "too-large" | "breaks-rules", string]>([
    ["nothing at all", "", "unreadable", "X01"],
    ["another encoding", Buffer.from(change(), "utf16le"), "unreadable", "X02"],
    [
      "bytes that are not UTF-8",
      Buffer.from(change().replace("danube", "m\u00E4r"), "latin1"),
      "unreadable",
      "X02",
    ],
    ["a doctype", `<!DOCTYPE urlset>${change()}`, "unreadable", "X03"],
    ["nesting beyond reason", "<a>".repeat(100_000), "unreadable", "W01"],
    ["too many entries", change({ entries: "<url/>".repeat(50_001) }), "too-large", "X04"],
    ["another root", "<html/>", "breaks-rules", "N02"],
    ["another kind of document", fixture("capability-list.xml"), "breaks-rules", "S01"],
  ])("%s", (_, document, because, rule) => {
    const verdict = judge(document);
    expect(verdict).toMatchObject({ kind: "refused", because, faults: [{ rule }] });
  });

  test("the limits are the caller's", () => {
    const limits = { bytes: 100, entries: 1 };
    const two = change({ entries: `<url>${loc}</url>`.repeat(2) });
    expect(judgeNotification(Buffer.from(two), undefined, "auto", limits)).toMatchObject({
      because: "too-large",
      faults: [{ rule: "X05" }],
    });
    expect(judgeNotification(Buffer.from(two), undefined, "auto", { entries: 1 })).toMatchObject({
      because: "too-large",
      faults: [{ rule: "X04" }],
    });
  });

  test("deep nesting and long white space cost no more than reading", () => {
    const spaces = change({ entries: `<url><loc>a${" ".repeat(60_000)}b</loc></url>`.repeat(50) });
    const tokens = change().replace("datetime", `hash="${"a:b ".repeat(15_000)}" datetime`);
    const started = performance.now();
    for (const document of ["<a>".repeat(1_000_000), spaces, tokens]) judge(document);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

describe("the list of faults", () => {
  const manyFaults = (count: number): string =>
    change({ entries: `<url>${loc}<rs:md change="gone" length="x"/></url>\n`.repeat(count) });

  test("stands in document order, with line, column and path", () => {
    const document = [
      '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"',
      '        xmlns:rs="http://www.openarchives.org/rs/terms/">',
      '  <rs:md capability="change-notification" from="2026-03-02T08:00:00Z" until="2026-03-02"/>\r',
      "  <url><loc>maps</loc><rs:md datetime='2026-03-01T00:00:00Z'",
      '    change="modified"/></url>',
      "</urlset>",
    ].join("\n");
    const places = faultsOf(document).map(({ rule, line, column, path }) => [rule, line, column, path]);
    expect(places).toEqual([
      ["T06", 3, 71, "/urlset/rs:md/@until"],
      ["V05", 3, 71, "/urlset/rs:md/@until"],
      ["C10", 4, 8, "/urlset/url[1]/loc"],
      ["V20", 5, 5, "/urlset/url[1]/rs:md/@change"],
    ]);
  });

  test("a byte order mark shifts no column", () => {
    const [plain] = faultsOf(change({ md: "" }));
    const [marked] = faultsOf(`\uFEFF${change({ md: "" })}`);
    expect(marked).toEqual(plain);
  });

  test("ends at 100; the last one says how many are left out, errors come first", () => {
    const faults = faultsOf(manyFaults(80));
    expect(faults).toHaveLength(100);
    expect(faults.filter(({ severity }) => severity === "error")).toHaveLength(100);
    expect(faults.at(-1)).toMatchObject({
      rule: "more",
      message: "61 more errors and 80 more warnings are not listed",
    });
  });

  test("keeps messages short, however long the value", () => {
    const [fault] = faultsOf(change().replace("updated", "u".repeat(60_000)));
    expect(fault?.message.length).toBeLessThan(500);
    expect(fault?.message).toMatch(/write created, updated or deleted|write change="updated"/);
  });
});

describe("words for the commonest mistakes", () => {
  const messageFor = (document: string, rule: string): string =>
    faultsOf(document).find((fault) => fault.rule === rule)?.message ?? "(silent)";

  test.each<[string, string, string, string]>([
    ["a bare &", change().replace("danube-1718", "?a=1&b=2;"), "X01", "write &amp;"],
    ["an HTML entity", change().replace("danube-1718", "&nbsp;"), "X01", '"&nbsp;" is unknown in XML'],
    [
      "an undeclared prefix",
      change().replace(/ xmlns:rs="[^"]*"/, ""),
      "X01",
      'xmlns:rs="http://www.openarchives.org/rs/terms/"',
    ],
    ["a missing end tag", change().replace("</loc>", ""), "X01", "<loc> is still open; write </loc> first"],
    ["a document cut off", change().slice(0, -9), "X01", "<urlset> begins here and never ends"],
    [
      "a blank line before the declaration",
      `\n<?xml version="1.0"?>${change()}`,
      "X01",
      "only at the very start",
    ],
    [
      "no rs:md in an entry",
      change({ entries: `<url>${loc}</url>` }),
      "CN03",
      "url[1]: no rs:md; write <rs:md",
    ],
    [
      "no change attribute",
      change().replace('change="updated" ', ""),
      "CN03",
      'url[1]: rs:md has no "change" attribute; say created, updated or deleted (Change Notification 1.0.1 §3)',
    ],
    [
      "a time without zone",
      change().replace("08:04:11Z", "08:04:11"),
      "V04",
      "has no time zone; write 2026-03-02T08:04:11Z",
    ],
    [
      "sha256",
      change().replace("datetime", `hash="sha256:${"0a".repeat(32)}" datetime`),
      "V11",
      'it is written "sha-256"',
    ],
    [
      "the namespace without its slash",
      change().replace("/rs/terms/", "/rs/terms"),
      "N04",
      "with the final slash",
    ],
    ["a space in a URL", change().replace("danube-1718", "danube 1718"), "C10", "write it as %20"],
    ["an own word for a change", change().replace("updated", "removed"), "V20", 'write change="deleted"'],
    [
      "a missing top-level rs:md",
      framework({ md: "" }).replace("capability=", 'datetime="2026-03-02T08:00:00Z" capability='),
      "C01",
      '<rs:md capability="framework-notification"',
    ],
  ])("%s", (_, document, rule, words) => {
    expect(messageFor(document, rule)).toContain(words);
  });

  test("a bare & is found where it stands, not where the parser stumbles", () => {
    const document = change().replace("danube-1718", "\n?a=1&b=2").replace("</url>", "<!-- &; --></url>");
    expect(faultsOf(document)).toMatchObject([{ rule: "X01", line: 2, column: 5 }]);
  });
});
