import * as fc from "fast-check";
import { expect, test } from "vitest";
import { judgeNotification } from "../../src/protocol/judge-notification.ts";
import { change, framework } from "./documents.ts";
import { goodDocument } from "./hostile-documents.ts";

const profile = fc.constantFrom("auto", "1.0.1", "1.0", "0.8", "lenient");
const kind = fc.constantFrom("change-notification", "framework-notification", undefined);

const pieces = [
  "<url>",
  "</url>",
  "<loc>",
  "</loc>",
  "<rs:md/>",
  '<rs:md change="updated">',
  "</rs:md>",
  '<rs:ln rel="up" href=" "/>',
  "<lastmod/>",
  "<sitemap/>",
  '<x xmlns=""/>',
  '<m:m xmlns:m="urn:m"/>',
  "text",
  "&amp;",
  "<!-- -->",
  "<![CDATA[x]]>",
];

test("whatever the bytes, there is a verdict, and a refusal names a fault", () => {
  const document = fc.oneof(
    fc.uint8Array({ maxLength: 400 }),
    fc.string({ unit: "binary", maxLength: 400 }).map((text) => Buffer.from(text)),
    fc
      .array(fc.constantFrom(...pieces), { maxLength: 20 })
      .map((parts) => Buffer.from(change({ entries: parts.join("") }))),
    fc.nat(goodDocument.length).map((length) => goodDocument.subarray(0, length)),
  );
  fc.assert(
    fc.property(document, kind, profile, (bytes, as, accepted) => {
      const verdict = judgeNotification(bytes, as, accepted);
      if (verdict.kind === "valid") return;
      expect(verdict.faults.some(({ severity }) => severity === "error")).toBe(true);
      for (const { line, column } of verdict.faults) expect(Math.min(line, column)).toBeGreaterThan(0);
    }),
    { numRuns: 1500 },
  );
});

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const uri = fc
  .webUrl({ withQueryParameters: true, withFragments: true })
  .filter((text) => text.length < 2000);
const hash = fc
  .uniqueArray(fc.constantFrom(["md5", 32], ["sha-1", 40], ["sha-256", 64], ["sha-512", 128]), {
    minLength: 1,
    selector: ([name]) => name,
  })
  .map((algorithms) => algorithms.map(([name, digits]) => `${name}:${"0f".repeat(digits / 2)}`).join("\n  "));
const seconds = fc.integer({ min: 0, max: 900 });
const at = (second: number): string => new Date(Date.UTC(2026, 2, 2, 8) + second * 1000).toISOString();

test("a change notification made by the rules is valid, without a warning", () => {
  const entry = fc.record({
    uri,
    second: seconds,
    change: fc.constantFrom("created", "updated"),
    hash: fc.option(hash),
    length: fc.option(fc.nat()),
  });
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1, maxLength: 12 }), (entries) => {
      const xml = entries
        .toSorted((a, b) => a.second - b.second)
        .map((each) => {
          const digest = each.hash === null ? "" : ` hash="${each.hash}"`;
          const length = each.length === null ? "" : ` length="${each.length}"`;
          return `<url><loc>${escaped(each.uri)}</loc><rs:md change="${each.change}" datetime="${at(each.second)}"${digest}${length}/></url>`;
        });
      expect(
        judgeNotification(Buffer.from(change({ entries: xml.join("\n") })), undefined, "1.0.1"),
      ).toMatchObject({ kind: "valid", warnings: [], notification: { changes: entries.length } });
    }),
    { numRuns: 300 },
  );
});

test("a framework notification made by the rules is valid, without a warning", () => {
  const pair = fc.constantFrom(
    ["resourcelist", "created"],
    ["resourcelist", "updated"],
    ["resourcedump", "created"],
    ["changelist", "updated"],
    ["changedump", "created"],
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(uri, pair), { minLength: 1, maxLength: 6 }), (entries) => {
      const xml = entries.map(
        ([loc, [capability, kindOfChange]]) =>
          `<url><loc>${escaped(loc)}</loc><rs:md change="${kindOfChange}" capability="${capability}"/></url>`,
      );
      expect(
        judgeNotification(Buffer.from(framework({ entries: xml.join("") })), undefined, "auto"),
      ).toMatchObject({ kind: "valid", warnings: [] });
    }),
    { numRuns: 300 },
  );
});
