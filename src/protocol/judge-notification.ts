import { checkDocument } from "./check-document.ts";
import { type Fault, messageOf } from "./fault.ts";
import type { Instant } from "./instant.ts";
import { defaultLimits, type ReadingLimits } from "./reading-limits.ts";
import { type AcceptedProfile, type NotificationKind, recognise } from "./recognise-document.ts";
import { readXml, type XmlDocument } from "./read-xml.ts";
import type { Refusal } from "./refusal.ts";
import type { Judged, Profile } from "./rule.ts";
import { linksOf, targetOf } from "./rules-of-links.ts";
import { rulesOfInput } from "./rules-of-input.ts";
import { instantOf } from "./rules-of-times.ts";
import { placesOf } from "./source-place.ts";
import { syncDocumentOf } from "./sync-document.ts";
import { decodeUtf8 } from "./utf8-text.ts";

export type { AcceptedProfile, NotificationKind } from "./recognise-document.ts";

export interface CheckedNotification {
  readonly kind: NotificationKind;
  readonly profile: Profile;
  /** How many entries it has; none is legal: a sign of life for the interval. */
  readonly changes: number;
  /** `from` and `until` of the top-level rs:md. */
  readonly interval: { readonly from: Instant; readonly until: Instant } | undefined;
  /** Where the up link leads: the capability list, or above it. */
  readonly up: string | undefined;
  /** False where neither the interval nor any entry says when: two equal documents can then be two events. */
  readonly saysWhen: boolean;
}

export type NotificationVerdict =
  | {
      readonly kind: "valid";
      readonly notification: CheckedNotification;
      readonly warnings: readonly Fault[];
    }
  | {
      readonly kind: "refused";
      readonly because: "unreadable" | "too-large" | "breaks-rules";
      /** Errors and warnings, in document order; at most 100, of which the last then counts the rest. */
      readonly faults: readonly Fault[];
      /** `undefined` where the document could not be read. */
      readonly judgedAs: { readonly type: string; readonly profile: Profile } | undefined;
    };

function inputFault(refusal: Refusal, text: string, severity: Fault["severity"] = "error"): Fault {
  const facts = rulesOfInput.find(({ id }) => id === refusal.rule);
  const [place] = placesOf(text, [refusal.offset]);
  const message = messageOf(refusal.says, facts?.source ?? refusal.rule);
  return { rule: refusal.rule, severity, message, ...(place ?? { line: 1, column: 1 }), path: "" };
}

function refused(refusal: Refusal, text: string): NotificationVerdict {
  const because = refusal.rule === "X04" || refusal.rule === "X05" ? "too-large" : "unreadable";
  return { kind: "refused", because, faults: [inputFault(refusal, text)], judgedAs: undefined };
}

function narrowEncodingWarnings({ narrowEncoding }: XmlDocument, text: string): Fault[] {
  if (narrowEncoding === undefined) return [];
  const says = `the document declares ${narrowEncoding}, of which UTF-8 is an extension; declare encoding="UTF-8"`;
  return [inputFault({ rule: "X02", says, offset: text.indexOf("encoding") }, text, "warning")];
}

function checkedNotification({ document, profile }: Judged, kind: NotificationKind): CheckedNotification {
  const { md, links, entries } = document;
  const [from, until] = [instantOf(md, "from"), instantOf(md, "until")];
  const interval = from === undefined || until === undefined ? undefined : { from, until };
  const [up] = linksOf(links, "up");
  return {
    kind,
    profile,
    changes: entries.length,
    interval,
    up: up === undefined ? undefined : targetOf(up),
    saysWhen:
      interval !== undefined ||
      entries.some(({ lastmod, datetime }) => lastmod !== undefined || datetime !== undefined),
  };
}

/**
 * Judges a notification as it came over the wire. `as` is the kind that the channel takes; `undefined`: recognised from
 * the document. Never throws, whatever the bytes.
 */
export function judgeNotification(
  payload: Uint8Array,
  as: NotificationKind | undefined,
  accepted: AcceptedProfile,
  limits: Partial<ReadingLimits> = {},
): NotificationVerdict {
  const bounds: ReadingLimits = { ...defaultLimits, ...limits };
  if (payload.byteLength > bounds.bytes) {
    const says = `the document has ${payload.byteLength} bytes; at most ${bounds.bytes} are taken`;
    return refused({ rule: "X05", says, offset: 0 }, "");
  }
  const decoded = decodeUtf8(payload);
  if (decoded.kind === "refused") return refused(decoded.refusal, decoded.text);
  const { text } = decoded;
  const reading = readXml(text, bounds);
  if (reading.kind === "refused") return refused(reading.refusal, text);

  const judged = recognise(syncDocumentOf(reading.document), as, accepted);
  const { type, profile } = judged;
  const findings = checkDocument(judged);
  const faults = [...narrowEncodingWarnings(reading.document, text), ...findings.list(text)];
  const isNotification = type === "change-notification" || type === "framework-notification";
  if (findings.errors > 0 || !isNotification) {
    return { kind: "refused", because: "breaks-rules", faults, judgedAs: { type, profile } };
  }
  return { kind: "valid", notification: checkedNotification(judged, type), warnings: faults };
}
