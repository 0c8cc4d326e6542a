import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { walkSource } from "../../src/client/walk-source.ts";
import { but, textOf } from "./faulty-sources.ts";
import { type SourceAnswer, startSource } from "./source-server.ts";

const manifest = "/set/manifest.xml";
const packed = (files: Record<string, string>): SourceAnswer => ({
  headers: { "content-type": "application/zip" },
  body: zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]))),
});
const withPackage = (make: (manifest: string) => SourceAnswer) =>
  but((pages) => ({ "/set/dump.zip": make(textOf(pages, manifest)) }));

describe("packages of a dump, where they are asked for (S11)", () => {
  test("a package whose manifest.xml has the entries of the one outside: nothing is found", async () => {
    await using source = await startSource(
      withPackage((text) =>
        packed({ "manifest.xml": text.replace("image/tiff", "image/jp2"), "maps/1": "…" }),
      ),
    );
    const { documents, findings } = await walkSource(source.origin, { packages: true });
    expect(findings).toEqual([]);
    expect(documents.find(({ kind }) => kind === "package")).toMatchObject({
      url: `${source.origin}/set/dump.zip`,
    });
  });

  test.each([
    [
      "other entries",
      (text: string) => packed({ "manifest.xml": text.replace('path="/maps/1"', 'path="/maps/one"') }),
      /only the manifest outside has .*\/maps\/1/,
    ],
    [
      "no manifest.xml at its top level",
      (text: string) => packed({ "dump/manifest.xml": text }),
      /no manifest\.xml at its top level/,
    ],
    [
      "a manifest.xml that is none",
      () => packed({ "manifest.xml": "<urlset" }),
      /manifest\.xml cannot be read/,
    ],
    ["bytes that are no ZIP file", (): SourceAnswer => ({ body: "PK, but no ZIP" }), /no ZIP file/],
  ])("a package with %s breaks S11", async (_title, make, says) => {
    await using source = await startSource(withPackage(make));
    const { findings } = await walkSource(source.origin, { packages: true });
    expect(findings).toMatchObject([
      { rule: "S11", severity: "error", url: `${source.origin}/set/dump.zip` },
    ]);
    expect(findings[0]?.message).toMatch(says);
  });

  test("nobody asked: packages are not fetched", async () => {
    await using source = await startSource(withPackage(() => ({ body: "" })));
    expect((await walkSource(source.origin)).findings).toEqual([]);
    expect(source.requests).not.toContain("GET /set/dump.zip");
  });
});
