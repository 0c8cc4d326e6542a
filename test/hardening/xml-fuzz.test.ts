import process from "node:process";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { discoverLinks } from "../../src/protocol/discovered-links.ts";
import { parseLinkHeader } from "../../src/protocol/link-header.ts";
import { validateDocument } from "../../src/protocol/validate-document.ts";
import { parseHubForm } from "../../src/protocol/websub.ts";
import { mutants, numbersFrom } from "../fuzz/mutate.ts";
import { originals } from "../fuzz/originals.ts";
import { readStreamed } from "../fuzz/readers.ts";
import { fuzzRound } from "../fuzz/round.ts";
import { hostileDocuments } from "../protocol/hostile-documents.ts";
import { wellFormedDocument } from "../fuzz/well-formed.ts";

/** A longer run, from other seeds: npm run fuzz -- --minutes 5 */
const seed = 20261121;

const shown = (findings: Awaited<ReturnType<typeof fuzzRound>>): string[] =>
  findings.map(
    ({ what, document }) => `${what}: ${JSON.stringify(Buffer.from(document).toString("latin1"))}`,
  );

describe(`from seed ${seed}`, () => {
  test("mutated examples are read or refused as libxml2 does, both ways, by every reader, and none takes long", async () => {
    expect(shown(await fuzzRound(mutants(originals, seed, 2000)))).toEqual([]);
  });

  test("what was made to deceive is read or refused as libxml2 does, by every reader", async () => {
    expect(shown(await fuzzRound(hostileDocuments))).toEqual([]);
  });

  test("what is well-formed by its making is never called ill-formed, nor by libxml2", async () => {
    const documents = fc.sample(wellFormedDocument, { seed, numRuns: 400 }).map((text) => Buffer.from(text));
    expect(shown(await fuzzRound(documents))).toEqual([]);
    const said = documents.flatMap((document) => validateDocument(document).faults);
    expect(said.filter(({ rule }) => rule === "X01")).toEqual([]);
  });

  test("read while it arrives, a document is taken or refused as it is as a whole, wherever the pieces are cut", async () => {
    const pick = numbersFrom(seed);
    for (const document of mutants(originals, seed, 400)) {
      const cut = pick(document.length + 1);
      const isRead = async (...pieces: Uint8Array[]): Promise<boolean> =>
        (await readStreamed(pieces)) === "read";
      const inTwo = await isRead(document.subarray(0, cut), document.subarray(cut));
      expect([inTwo, document.toString("latin1")]).toEqual([
        await isRead(document),
        document.toString("latin1"),
      ]);
    }
  });

  test("whatever stands in a form, a Link field or a page of another server, it is read in bounded time", () => {
    const nasty = [
      "<",
      ">",
      '"',
      ";",
      ",",
      "=",
      " ",
      "\\",
      "rel",
      "<!--",
      "-->",
      "<a ",
      "<title>",
      "&",
      "\t",
      "%",
      "hub.mode=",
    ];
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 300 }),
      fc.array(fc.constantFrom(...nasty), { maxLength: 60 }).map((parts) => parts.join("")),
      fc
        .tuple(fc.constantFrom(...nasty), fc.constantFrom(...nasty), fc.constantFrom(20_000))
        .map(([one, other, times]) => one + other.repeat(times)),
    );
    const types = [
      "text/html",
      "application/atom+xml",
      "application/rss+xml",
      "text/plain",
      "application/json",
    ];
    fc.assert(
      fc.property(text, fc.constantFrom(...types), (written, contentType) => {
        const begun = process.cpuUsage();
        const body = Buffer.from(written);
        parseHubForm(body);
        parseLinkHeader([written]);
        discoverLinks({ url: "https://e.org/topic", linkHeader: written, contentType, body });
        const { user, system } = process.cpuUsage(begun);
        return user + system < 1_000_000;
      }),
      { seed, numRuns: 500 },
    );
  });
});
