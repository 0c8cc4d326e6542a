import type { Fault } from "../protocol/fault.ts";
import type { Position } from "../protocol/position.ts";

export type BaselineOutcome =
  | {
      readonly kind: "taken";
      readonly resources: number;
      /** Everything that the log received after this position is folded into the list. */
      readonly position: Position;
      readonly warnings: readonly Fault[];
    }
  | {
      readonly kind: "refused";
      readonly because: "unreadable" | "too-large" | "breaks-rules";
      /** Which document, where it is one of those that an index names. */
      readonly document: string | undefined;
      readonly faults: readonly Fault[];
    }
  /** A document that was to be fetched did not come; the list is not of use; the sentence says why and what to do. */
  | { readonly kind: "unusable"; readonly reason: string };

/** Ends an import; carries what is told of it. Nothing in it gets better by trying the same again. */
export class NotTaken extends Error {
  override name = "NotTaken";
  readonly mayRetry = false;
  readonly outcome: Exclude<BaselineOutcome, { kind: "taken" }>;
  constructor(outcome: Exclude<BaselineOutcome, { kind: "taken" }>) {
    super(reasonOf(outcome));
    this.outcome = outcome;
  }
}

export const unusable = (reason: string): NotTaken => new NotTaken({ kind: "unusable", reason });

/** Why a baseline was not taken, in sentences. */
export function reasonOf(outcome: Exclude<BaselineOutcome, { kind: "taken" }>): string {
  if (outcome.kind === "unusable") return outcome.reason;
  const [first] = outcome.faults;
  const which = outcome.document ?? "The document";
  const what =
    first === undefined ? "" : ` The first fault, ${first.rule} at line ${first.line}: ${first.message}`;
  return `${which} cannot be the baseline; the one before, if there was one, stays.${what}`;
}
