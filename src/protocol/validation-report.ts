import type { DocumentTypeName } from "./document-type-name.ts";
import type { Fault } from "./fault.ts";
import type { RefusalReason } from "./judge-document.ts";
import type { Profile } from "./rule.ts";
import type { Validation } from "./validate-document.ts";

/** What `validate --json` and `POST /validate` say about a document: stable names, each always there but `error`. */
export interface ValidationReport {
  /** As the user named it: a file, a URL, or `-`. */
  readonly file: string;
  readonly valid: boolean;
  /** `null` where the document could not be read, or does not say what it is. */
  readonly type: DocumentTypeName | null;
  /** `null` where the document could not be read. */
  readonly profile: Profile | null;
  /** `null` where it is valid. */
  readonly because: RefusalReason | null;
  readonly faults: readonly Fault[];
  /** Only where the file or URL could not be opened: words that end a sentence. */
  readonly error?: string;
}

export function reportOf(
  file: string,
  { valid, type, profile, because, faults }: Validation,
): ValidationReport {
  return {
    file,
    valid,
    type: type ?? null,
    profile: profile ?? null,
    because: because ?? null,
    faults,
  };
}

/** For what could not be opened. */
export function reportOfUnread(file: string, error: string): ValidationReport {
  return { file, valid: false, type: null, profile: null, because: "unreadable", faults: [], error };
}
