import { expect } from "vitest";
import { checkDocument } from "../../src/protocol/check-document.ts";
import { defaultLimits } from "../../src/protocol/reading-limits.ts";
import { recognise } from "../../src/protocol/recognise-document.ts";
import { readXml } from "../../src/protocol/read-xml.ts";
import { type Entry, type SyncDocument, syncDocumentOf } from "../../src/protocol/sync-document.ts";
import { attributeOf, type XmlElement } from "../../src/protocol/xml-element.ts";

export function parsed(text: string): SyncDocument {
  const reading = readXml(text, defaultLimits);
  if (reading.kind === "refused") throw new Error(`${reading.refusal.says}\n${text}`);
  return syncDocumentOf(reading.document);
}

/** C13: a list that is still empty is no mistake. S01: it is no notification, and need not be one. */
const passedOver = new Set(["C13", "S01"]);

/** Breaks no rule of the validator, be it an error or a warning. */
export function expectValid(text: string): void {
  const judged = recognise(parsed(text), undefined, "auto");
  const faults = checkDocument(judged).list(text);
  expect(faults.filter(({ rule }) => !passedOver.has(rule))).toEqual([]);
}

const attributes = (element: XmlElement | undefined): Record<string, string> =>
  Object.fromEntries((element?.attributes ?? []).map(({ name, value }) => [name, value]));

export const top = (text: string): Record<string, string> => attributes(parsed(text).md);

export function link(text: string, rel: string): string | undefined {
  const found = parsed(text).links.find((each) => attributeOf(each, "rel") === rel);
  return found === undefined ? undefined : attributeOf(found, "href");
}

export interface ReadEntry {
  readonly loc: string;
  readonly lastmod: string | undefined;
  readonly md: Record<string, string>;
  readonly links: readonly Record<string, string>[];
}

export function entriesOf(text: string): ReadEntry[] {
  return parsed(text).entries.map(({ loc, lastmod, md, links }: Entry) => ({
    loc: loc?.text ?? "",
    lastmod: lastmod?.text,
    md: attributes(md),
    links: links.map(attributes),
  }));
}
