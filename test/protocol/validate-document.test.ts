import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type DocumentTypeName, documentTypeNames } from "../../src/protocol/document-type-name.ts";
import type { AcceptedProfile } from "../../src/protocol/recognise-document.ts";
import { validateDocument } from "../../src/protocol/validate-document.ts";
import { fixture, idsOf } from "./documents.ts";
import { documentOf } from "./whole-document.ts";

const validate = (document: string | Uint8Array, as?: DocumentTypeName, profile?: AcceptedProfile) =>
  validateDocument(typeof document === "string" ? Buffer.from(document) : document, { as, profile });
const idsFor = (...asked: Parameters<typeof validate>) => idsOf(validate(...asked).faults);

describe("every type", () => {
  /** What the standard advises against, or asks for in one form only. */
  const warned: Partial<Record<DocumentTypeName, string[]>> = { "capability-list-index": ["CAP07?"] };

  test.each(documentTypeNames)("%s is recognised, and valid where it keeps the rules", (name) => {
    expect(validate(documentOf(name))).toMatchObject({
      valid: true,
      type: name,
      profile: "1.0.1",
      because: undefined,
    });
    for (const profile of [undefined, "1.0.1", "lenient"] as const) {
      expect(idsFor(documentOf(name), name, profile)).toEqual(warned[name] ?? []);
    }
  });

  test.each(documentTypeNames)("%s asked for, another document is refused with S01", (name) => {
    const other = name === "resource-list" ? "change-list" : "resource-list";
    expect(idsFor(documentOf(other), name)).toContain("S01");
  });

  test("an index is not its plain document, although the capability is the same", () => {
    expect(idsFor(documentOf("change-list-index"), "change-list")).toContain("S01");
    expect(idsFor(documentOf("change-list"), "change-list-index")).toContain("S01");
  });
});

describe("what does not say what it is", () => {
  const sitemap = documentOf("resource-list", { links: "", md: "" });

  test("a plain sitemap gets one error, not many", () => {
    expect(validate(sitemap)).toMatchObject({ valid: false, type: undefined, because: "breaks-rules" });
    expect(idsFor(sitemap)).toEqual(["C01"]);
    expect(idsFor(sitemap, "resource-list")).toEqual(["C01", "L15"]);
  });

  test("entries with change make it a notification, of 0.8 where there is no datetime", () => {
    expect(validate(fixture("change-notification-0.8.xml"))).toMatchObject({
      valid: true,
      type: "change-notification",
      profile: "0.8",
    });
    const forgotten = documentOf("change-notification", { md: "" });
    expect(idsFor(forgotten)).toEqual(["C01", "CN02", "CN02"]);
  });

  test("a capability of another specification is a warning, and its entries are its own matter", () => {
    const other = documentOf("change-list", { md: '<rs:md capability="tile-list" at="2026-03-02"/>' });
    expect(validate(other)).toMatchObject({ valid: true, type: undefined });
    expect(idsFor(other)).toEqual(["V02?", "V05?"]);
  });

  test("neither bytes that are no document nor one that is too large has a type", () => {
    expect(validate("{}")).toMatchObject({ valid: false, type: undefined, because: "unreadable" });
    const limits = { bytes: 10 };
    const large = validateDocument(Buffer.from(sitemap), { limits });
    expect(large).toMatchObject({ because: "too-large", profile: undefined, faults: [{ rule: "X05" }] });
  });
});

describe("Capability Lists", () => {
  test("with sockets only are of 0.8, and judged as 1.0.1 where that is asked for", () => {
    expect(validate(fixture("capability-list-0.8.xml"))).toMatchObject({ valid: true, profile: "0.8" });
    expect(idsFor(fixture("capability-list-0.8.xml"), undefined, "1.0.1")).toEqual(["CAP01?", "CAP09"]);
    expect(idsFor(fixture("capability-list.xml"))).toEqual([]);
  });
});

describe("the forms of core 0.9", () => {
  const old = documentOf("resource-list", {
    links: '<rs:ln rel="resourcesync" href="https://maps.example.org/capabilitylist.xml"/>',
    md: '<rs:md capability="resourcelist" from="2026-03-02T00:00:00Z"/>',
  });
  const oldDescription = documentOf("source-description", { md: '<rs:md capability="resourcesync"/>' });

  test("are errors, and leniently warnings", () => {
    expect(idsFor(old)).toEqual(["L15", "L07?", "T01", "T04"]);
    expect(idsFor(old, undefined, "lenient")).toEqual(["L15?", "L07?", "T01?", "T04?"]);
    expect(idsFor(oldDescription)).toEqual(["SD05"]);
    expect(idsFor(oldDescription, "source-description", "lenient")).toEqual(["SD05?"]);
  });
});

describe("order in time", () => {
  const changed = (time: string): string =>
    `<url><loc>https://maps.example.org/a</loc><rs:md change="updated" path="/a" type="image/tiff" datetime="2026-03-02T${time}Z"/></url>`;
  const backwards = `${changed("09:00:00")}${changed("08:00:00")}`;

  test("is a must for change lists and a should for manifests (core 1.1 §12.1, §13.2)", () => {
    const ids = idsFor(documentOf("change-list", { entries: backwards.replaceAll(' path="/a"', "") }));
    expect(ids).toEqual(["T12"]);
    expect(idsFor(documentOf("change-dump-manifest", { entries: backwards }))).toEqual(["T12?"]);
  });

  test("compares exactly: the tenth digit counts, and an offset is the same moment", () => {
    const list = (...times: string[]) =>
      documentOf("change-list", {
        entries: times.map((time) => changed(time).replace(' path="/a"', "")).join(""),
      });
    expect(idsFor(list("08:00:00.0000000002", "08:00:00.0000000001"))).toEqual(["T12"]);
    expect(idsFor(list("08:00:00.50", "08:00:00.5"))).toEqual([]);
  });
});

test("whatever the bytes, the type and the profile, there is a verdict, and a refusal names a fault", () => {
  const profile = fc.constantFrom("auto", "1.0.1", "1.0", "0.8", "lenient");
  const damaged = fc
    .tuple(fc.constantFrom(...documentTypeNames), fc.nat(600), fc.nat(80))
    .map(([name, at, length]) => {
      const document = documentOf(name);
      return document.slice(0, at) + document.slice(at + length);
    });
  const exchanged = fc
    .tuple(fc.constantFrom(...documentTypeNames), fc.constantFrom(...documentTypeNames))
    .map(([one, other]) =>
      documentOf(one, { entries: /<(url|sitemap)>.*(?=<\/\w+>$)/.exec(documentOf(other))?.[0] ?? "" }),
    );
  fc.assert(
    fc.property(
      fc.oneof(damaged, exchanged),
      fc.constantFrom(undefined, ...documentTypeNames),
      profile,
      (document, as, accepted) => {
        const { valid, because, faults } = validate(document, as, accepted);
        const errors = faults.filter(({ severity }) => severity === "error").length;
        expect([valid, because === undefined]).toEqual([errors === 0, errors === 0]);
      },
    ),
    { numRuns: 500 },
  );
});
