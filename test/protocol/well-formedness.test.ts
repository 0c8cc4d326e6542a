import * as fc from "fast-check";
import { expect, test } from "vitest";
import { judgeNotification } from "../../src/protocol/judge-notification.ts";
import { fixture } from "./documents.ts";
import { goodDocument, hostileDocuments } from "./hostile-documents.ts";
import { refusedByXmllint } from "./xmllint.ts";

/** Whether we could not read it, as against: read it and found that it breaks rules. */
const isUnreadable = (document: Uint8Array): boolean => {
  const verdict = judgeNotification(document, undefined, "auto");
  return verdict.kind === "refused" && verdict.because === "unreadable";
};

async function expectToRefuseWhatLibxml2Refuses(documents: readonly Uint8Array[]): Promise<number> {
  const refused = await refusedByXmllint(documents);
  const accepted = documents.filter((document, at) => refused.has(at) && !isUnreadable(document));
  expect(accepted.map((document) => Buffer.from(document).toString("latin1"))).toEqual([]);
  return refused.size;
}

test("what libxml2 finds ill-formed is refused, whatever the trick", async () => {
  const refused = await expectToRefuseWhatLibxml2Refuses(hostileDocuments);
  expect(refused).toBeGreaterThan(hostileDocuments.length / 2);
});

test("what libxml2 finds well-formed is read, but for doctypes, other encodings and our limits", async () => {
  const refused = await refusedByXmllint(hostileDocuments);
  const ours = hostileDocuments
    // libxml2 takes a NUL behind the root element for the end.
    .filter((document, at) => !refused.has(at) && !document.includes(0) && isUnreadable(document))
    .map((document) => judgeNotification(document, undefined, "auto"))
    .flatMap((verdict) => (verdict.kind === "refused" ? verdict.faults : []))
    .filter(({ rule }) => !["X02", "X03", "W01"].includes(rule));
  expect(ours).toEqual([]);
});

test("bytes exchanged at random never make us read what libxml2 refuses", async () => {
  const originals = [
    goodDocument,
    fixture("change-notification.xml"),
    fixture("framework-notification-of-several.xml"),
  ];
  const interesting = [...Buffer.from("<>&\"'/=!?-[];:# \n\t\0\x80\xffa1", "latin1")];
  const mutation = fc
    .tuple(
      fc.constantFrom(...originals),
      fc.array(
        fc.record({
          at: fc.nat(),
          byte: fc.oneof(fc.constantFrom(...interesting), fc.integer({ min: 0, max: 255 })),
          insert: fc.boolean(),
        }),
        { minLength: 1, maxLength: 3 },
      ),
    )
    .map(([original, changes]) =>
      changes.reduce<Buffer>((bytes, { at, byte, insert }) => {
        const place = at % bytes.length;
        const rest = bytes.subarray(insert ? place : place + 1);
        return Buffer.concat([bytes.subarray(0, place), Buffer.from([byte]), rest]);
      }, original),
    );
  await expectToRefuseWhatLibxml2Refuses(fc.sample(mutation, 1200));
});
