import type { Fault } from "./fault.ts";
import { faultOfRefusal, faultOfRoot, tooLarge } from "./fault-of-refusal.ts";
import { defaultLimits, type ReadingLimits } from "./reading-limits.ts";
import { readAnyXml } from "./read-xml.ts";
import type { DocumentEntry, Dropped, TypedDocument } from "./typed-document.ts";
import { type DropCount, entryOfRoot, headOf } from "./typed-parts.ts";
import { typedDocument } from "./type-of-document.ts";
import { decodeUtf8 } from "./utf8-text.ts";

export interface ParseOptions {
  /** What the document may cost; by default 50 MB, 50,000 entries, and more than real documents need. */
  readonly limits?: Partial<ReadingLimits>;
}

export type ParseOutcome =
  | { readonly kind: "parsed"; readonly document: TypedDocument; readonly dropped: Dropped }
  /** It is not well-formed, not in UTF-8, beyond a limit, or no ResourceSync document at all. */
  | { readonly kind: "refused"; readonly faults: readonly Fault[] };

/**
 * Reads a ResourceSync document of any type into values. It judges no rule: what a rule forbids but can be read is read,
 * and what has no place in a typed document is dropped and counted. `validateDocument` is what judges. Never throws.
 */
export function parseDocument(
  payload: Uint8Array | string,
  { limits = {} }: ParseOptions = {},
): ParseOutcome {
  const bounds: ReadingLimits = { ...defaultLimits, ...limits };
  const refused = (fault: Fault): ParseOutcome => ({ kind: "refused", faults: [fault] });
  const bytes = typeof payload === "string" ? Buffer.from(payload) : payload;
  if (bytes.byteLength > bounds.bytes) return refused(faultOfRefusal(tooLarge(bounds.bytes), ""));
  const decoded = decodeUtf8(bytes);
  if (decoded.kind === "refused") return refused(faultOfRefusal(decoded.refusal, decoded.text));

  const dropped: DropCount = { elements: 0, attributes: 0, texts: 0 };
  const entries: DocumentEntry[] = [];
  const reading = readAnyXml(decoded.text, bounds, (element, root) => {
    const entry = entryOfRoot(element, root, dropped);
    if (entry !== undefined) entries.push(entry);
  });
  if (reading.kind === "refused") return refused(faultOfRefusal(reading.refusal, decoded.text));
  const head = headOf(reading.document.root, dropped);
  if (head === undefined) return refused(faultOfRoot(reading.document.root.name));
  return { kind: "parsed", document: typedDocument(head, entries), dropped };
}
