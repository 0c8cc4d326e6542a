import { checkDocument } from "../protocol/check-document.ts";
import { type DocumentTypeName, nameOfType } from "../protocol/document-type-name.ts";
import type { Fault } from "../protocol/fault.ts";
import { parseDocument } from "../protocol/parse-document.ts";
import { defaultLimits } from "../protocol/reading-limits.ts";
import { type AcceptedProfile, recognise } from "../protocol/recognise-document.ts";
import { readXml } from "../protocol/read-xml.ts";
import type { Profile } from "../protocol/rule.ts";
import { syncDocumentOf } from "../protocol/sync-document.ts";

interface Validation {
  readonly valid: boolean;
  /** `undefined` where the document could not be read, or does not say what it is. */
  readonly type: DocumentTypeName | undefined;
  readonly profile: Profile | undefined;
  readonly faults: readonly Fault[];
}

/** Holds a document of any type against the rules that one document can break. Never throws. */
export function validateDocument(
  payload: Uint8Array,
  { profile = "auto" }: { readonly profile?: AcceptedProfile },
): Validation {
  const unread = (faults: readonly Fault[]): Validation => ({
    valid: false,
    type: undefined,
    profile: undefined,
    faults,
  });
  const outcome = parseDocument(payload);
  if (outcome.kind === "refused") return unread(outcome.faults);
  const text = Buffer.from(payload).toString("utf8");
  const reading = readXml(text, defaultLimits);
  if (reading.kind === "refused") return unread([]);
  const judged = recognise(syncDocumentOf(reading.document), undefined, profile);
  // S01 asks for a notification, as publishing does; here every type is welcome.
  const faults = checkDocument(judged)
    .list(text)
    .filter(({ rule }) => rule !== "S01");
  const valid = faults.every(({ severity }) => severity !== "error");
  return { valid, type: nameOfType(judged.type), profile: judged.profile, faults };
}
