import { checkDocument } from "./check-document.ts";
import { type Fault, messageOf } from "./fault.ts";
import type { ReadingLimits } from "./reading-limits.ts";
import { type AcceptedProfile, recognise } from "./recognise-document.ts";
import { readXml, type XmlDocument } from "./read-xml.ts";
import type { Refusal } from "./refusal.ts";
import type { Judged, Wanted } from "./rule.ts";
import { rulesOfInput } from "./rules-of-input.ts";
import { placesOf } from "./source-place.ts";
import { syncDocumentOf } from "./sync-document.ts";
import { decodeUtf8 } from "./utf8-text.ts";

/** Why a document is refused; over HTTP: 400, 413, 422. */
export type RefusalReason = "unreadable" | "too-large" | "breaks-rules";

export type DocumentVerdict =
  | { readonly kind: "unread"; readonly because: "unreadable" | "too-large"; readonly fault: Fault }
  | {
      readonly kind: "judged";
      readonly judged: Judged;
      readonly errors: number;
      /** Errors and warnings, in document order; at most 100, of which the last then counts the rest. */
      readonly faults: readonly Fault[];
    };

function inputFault(refusal: Refusal, text: string, severity: Fault["severity"] = "error"): Fault {
  const facts = rulesOfInput.find(({ id }) => id === refusal.rule);
  const [place] = placesOf(text, [refusal.offset]);
  const message = messageOf(refusal.says, facts?.source ?? refusal.rule);
  return { rule: refusal.rule, severity, message, ...(place ?? { line: 1, column: 1 }), path: "" };
}

function unread(refusal: Refusal, text: string): DocumentVerdict {
  const because = refusal.rule === "X04" || refusal.rule === "X05" ? "too-large" : "unreadable";
  return { kind: "unread", because, fault: inputFault(refusal, text) };
}

function narrowEncodingWarnings({ narrowEncoding }: XmlDocument, text: string): Fault[] {
  if (narrowEncoding === undefined) return [];
  const says = `the document declares ${narrowEncoding}, of which UTF-8 is an extension; declare encoding="UTF-8"`;
  return [inputFault({ rule: "X02", says, offset: text.indexOf("encoding") }, text, "warning")];
}

/** Holds a document against every rule: what is published and what is only to be validated. */
export function judgeDocument(
  payload: Uint8Array,
  wanted: Wanted | undefined,
  accepted: AcceptedProfile,
  limits: ReadingLimits,
): DocumentVerdict {
  if (payload.byteLength > limits.bytes) {
    const says = `the document has ${payload.byteLength} bytes; at most ${limits.bytes} are taken`;
    return unread({ rule: "X05", says, offset: 0 }, "");
  }
  const decoded = decodeUtf8(payload);
  if (decoded.kind === "refused") return unread(decoded.refusal, decoded.text);
  const { text } = decoded;
  const reading = readXml(text, limits);
  if (reading.kind === "refused") return unread(reading.refusal, text);

  const judged = recognise(syncDocumentOf(reading.document), wanted, accepted);
  const findings = checkDocument(judged);
  const faults = [...narrowEncodingWarnings(reading.document, text), ...findings.list(text)];
  return { kind: "judged", judged, errors: findings.errorCount(), faults };
}
