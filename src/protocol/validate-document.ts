import { type DocumentTypeName, documentTypeOf, nameOfType } from "./document-type-name.ts";
import type { Fault } from "./fault.ts";
import { judgeDocument, type RefusalReason } from "./judge-document.ts";
import { defaultLimits, type ReadingLimits } from "./reading-limits.ts";
import type { AcceptedProfile } from "./recognise-document.ts";
import type { Profile } from "./rule.ts";

export interface ValidationOptions {
  /** What the document is to be; recognised where it is left out. */
  readonly as?: DocumentTypeName | undefined;
  /** By which version it is judged; `auto`, which recognises it, where it is left out. */
  readonly profile?: AcceptedProfile | undefined;
  /** Lower bounds than those of the standard, such as `{ bytes: 1_000_000 }`. */
  readonly limits?: Partial<ReadingLimits> | undefined;
}

export interface Validation {
  /** True where there is no error; there may be warnings. */
  readonly valid: boolean;
  /** `undefined` where the document could not be read, or does not say what it is. */
  readonly type: DocumentTypeName | undefined;
  /** By which version it was judged; `undefined` where it could not be read. */
  readonly profile: Profile | undefined;
  /** Why it is not valid; a server would answer 400, 413, 422. `undefined` where it is. */
  readonly because: RefusalReason | undefined;
  /** Errors and warnings, in document order; at most 100, of which the last then counts the rest. */
  readonly faults: readonly Fault[];
}

/**
 * Holds a document of any ResourceSync type against every rule that one document can break. Takes at most 50 MB and
 * 50,000 entries (ResourceSync 1.1 §7). Never throws, whatever the bytes.
 */
export function validateDocument(payload: Uint8Array, options: ValidationOptions = {}): Validation {
  const { as, profile = "auto", limits } = options;
  const wanted = as === undefined ? undefined : documentTypeOf(as);
  const verdict = judgeDocument(payload, wanted, profile, { ...defaultLimits, ...limits });
  if (verdict.kind === "unread") {
    const { because, fault } = verdict;
    return { valid: false, type: undefined, profile: undefined, because, faults: [fault] };
  }
  const { judged, errors, faults } = verdict;
  return {
    valid: errors === 0,
    type: nameOfType(judged.type),
    profile: judged.profile,
    because: errors === 0 ? undefined : "breaks-rules",
    faults,
  };
}
