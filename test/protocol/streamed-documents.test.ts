import { describe, expect, test } from "vitest";
import { readers, readList, readStreamed } from "../fuzz/readers.ts";
import { createChangeListReader } from "../../src/protocol/read-change-list.ts";
import { createResourceListReader } from "../../src/protocol/read-resource-list.ts";

const open = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">';
const inRoot = (xml: string): string => `${open}<url><loc>https://e.org/</loc></url>${xml}</urlset>`;

const ofPieces = {
  "the reader of streams": readStreamed,
  "the reader of Resource Lists": readList(createResourceListReader),
  "the reader of Change Lists": readList(createChangeListReader),
};

/** What each reader says of it: whole, and cut in two at every place. */
async function readingsOf(document: string): Promise<Set<string>> {
  const bytes = Buffer.from(document);
  const said = new Set<string>();
  for (const read of Object.values(readers)) said.add(await read(bytes));
  for (const read of Object.values(ofPieces)) {
    for (let at = 0; at <= bytes.length; at += 1)
      said.add(await read([bytes.subarray(0, at), bytes.subarray(at)]));
  }
  return said;
}

describe("every reader sees, wherever a document is cut,", () => {
  test.each([
    ["in the root", inRoot("<?x?y?>")],
    ["with more behind it", inRoot("<?x?y z?>")],
    ["that ends in two question marks", inRoot("<?x??>")],
    ["behind a comment, an instruction and CDATA", inRoot("<!-- <? --><?a b?c?><![CDATA[<?]]><?x?y?>")],
    ["before the root", `<?x?ml version='1.0'?>${inRoot("")}`],
    ["behind the root", `${inRoot("")}<?x?y?>`],
  ])("that a space is missing behind an instruction's target %s", async (_where, document) => {
    expect(await readingsOf(document)).toEqual(new Set(["X01"]));
  });

  test("that such text is none of an instruction in a comment, in CDATA and within an instruction", async () => {
    const asides = "<!-- <?x?y?> --><![CDATA[ <?x?y?> ]] ]]><?a <?x?y?><?a?><?a ?b?><!----><?b?>";
    expect(await readingsOf(`<?a <?x?y?><!--<?x?y?>-->${inRoot(asides)}<!--<?x?y?>-->`)).toEqual(
      new Set(["read"]),
    );
  });

  test("that a second byte order mark is text before the root", async () => {
    expect(await readingsOf(`\uFEFF${inRoot("")}`)).toEqual(new Set(["read"]));
    expect(await readingsOf(`\uFEFF\uFEFF${inRoot("")}`)).toEqual(new Set(["X01"]));
  });

  test.each(["US-ASCII", "ascii"])("that a document declared as %s goes beyond it", async (name) => {
    const declaration = `<?xml version="1.0" encoding="${name}"?>`;
    expect(await readingsOf(declaration + inRoot("<!-- plain -->"))).toEqual(new Set(["read"]));
    expect(await readingsOf(declaration + inRoot("<!-- é -->"))).toEqual(new Set(["X02"]));
  });
});
