import type { DocumentTypeName } from "./document-type-name.ts";
import type { Severity } from "./fault.ts";

/**
 * Where a fragment stands: it is the whole document, the top-level `rs:md` or `rs:ln` or both, the entries, or what one
 * entry holds besides `loc`.
 */
type Spot = "md" | "links" | "top" | "entries" | "entry";
export type Place = "document" | `${Spot} of ${DocumentTypeName}`;

/** A fragment too long to be written out. */
interface Repeated {
  readonly before?: string;
  readonly repeat: string;
  readonly times: number;
  readonly after?: string;
}
export type Fragment = string | Repeated;

export type NamedProfile = "1.0.1" | "1.0" | "0.8" | "lenient";

/** What `--explain` says about a rule beside its sentence and source. */
export interface Explanation {
  /** What goes wrong for whom where the rule is broken. */
  readonly why: string;
  readonly place: Place;
  /** Keeps the rule; other rules may be broken. */
  readonly valid: Fragment;
  readonly invalid: Fragment;
  /** Where a profile differs; for the rules that `lenient` softens: if the document has the older form of `invalid`. */
  readonly severities?: Partial<Record<NamedProfile, Severity | "none">>;
}

export type Explanations = Readonly<Record<string, Explanation>>;
