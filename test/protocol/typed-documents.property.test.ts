import * as fc from "fast-check";
import { expect, test } from "vitest";
import { validateDocument } from "../../src/protocol/validate-document.ts";
import { parseDocument } from "../../src/protocol/parse-document.ts";
import { type DocumentPart, readEntries } from "../../src/protocol/read-entries.ts";
import { serializeDocument } from "../../src/protocol/serialize-document.ts";
import { typedDocument } from "../../src/protocol/type-of-document.ts";
import type { DocumentEntry, DocumentHead, Dropped } from "../../src/protocol/typed-document.ts";
import { typedDocuments } from "./typed-documents.ts";
import { validDocuments } from "./valid-documents.ts";
import { refusedByXmllint } from "./xmllint.ts";

const nothing = { elements: 0, attributes: 0, texts: 0 };

async function gather(source: AsyncIterable<Uint8Array> | Uint8Array) {
  const entries: DocumentEntry[] = [];
  let head: DocumentHead | undefined;
  let dropped: Dropped | undefined;
  const kinds: DocumentPart["kind"][] = [];
  for await (const part of readEntries(source)) {
    kinds.push(part.kind);
    if (part.kind === "head") head = part.head;
    else if (part.kind === "entry") entries.push(part.entry);
    else dropped = part.dropped;
  }
  expect(kinds[0]).toBe("head");
  expect(kinds.at(-1)).toBe("end");
  return { document: typedDocument(head!, entries), dropped };
}

/** In pieces that cut through tags and characters. */
async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

test("what is serialised is read as the same document, of every type and with every attribute", () => {
  const types = new Set<string>();
  fc.assert(
    fc.property(typedDocuments, (document) => {
      types.add(document.type);
      const outcome = parseDocument(Buffer.from(serializeDocument(document)));
      expect(outcome).toEqual({ kind: "parsed", document, dropped: nothing });
      if (outcome.kind !== "parsed") return;
      expect(serializeDocument(outcome.document)).toBe(serializeDocument(document));
    }),
    { numRuns: 1000 },
  );
  expect(types.size).toBe(25);
});

test("read while it arrives, in whatever pieces, it is the same document", async () => {
  await fc.assert(
    fc.asyncProperty(typedDocuments, fc.integer({ min: 1, max: 300 }), async (document, size) => {
      const bytes = Buffer.from(serializeDocument(document));
      expect(await gather(inPieces(bytes, size))).toEqual({ document, dropped: nothing });
      expect(await gather(bytes)).toEqual({ document, dropped: nothing });
    }),
    { numRuns: 150 },
  );
});

test("a document made by the rules is valid when it is serialised, and reads as the same one", () => {
  fc.assert(
    fc.property(validDocuments, ({ type, document }) => {
      const bytes = Buffer.from(serializeDocument(document));
      const { valid, type: found, faults } = validateDocument(bytes, { profile: "1.0.1" });
      expect(faults.filter(({ severity }) => severity === "error")).toEqual([]);
      expect({ valid, found }).toEqual({ valid: true, found: type });
      expect(parseDocument(bytes)).toEqual({ kind: "parsed", document, dropped: nothing });
    }),
    { numRuns: 600 },
  );
});

test("libxml2 finds every serialised document well-formed", async () => {
  const documents = fc.sample(typedDocuments, 400).map((each) => Buffer.from(serializeDocument(each)));
  expect([...(await refusedByXmllint(documents))]).toEqual([]);
});
