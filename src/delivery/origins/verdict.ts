import type { DeliveryOutcome } from "../attempt-delivery.ts";

/** What the outcome of an attempt says about the server, whatever it says about the one callback. */
export type Verdict =
  | { readonly kind: "answers"; readonly milliseconds: number }
  | {
      readonly kind: "fails";
      readonly milliseconds: number;
      readonly reason: string;
      /** Milliseconds that the server asked to wait; 0 where it did not. */
      readonly retryAfter: number;
      /** 429, 502, 503, 504: it is there, and has too much to do. */
      readonly overloaded: boolean;
    }
  /** Called off, or not sent at all. */
  | { readonly kind: "nothing" };

export function verdictOf(outcome: DeliveryOutcome): Verdict {
  switch (outcome.kind) {
    case "delivered":
      return { kind: "answers", milliseconds: outcome.milliseconds };
    case "gone":
      return { kind: "answers", milliseconds: outcome.record.milliseconds };
    case "failed": {
      const { record, retryAfter = 0, slowOrigin: overloaded, unreachable } = outcome;
      const { milliseconds, status, reason } = record;
      if (overloaded)
        return { kind: "fails", milliseconds, reason: `answered ${status}`, retryAfter, overloaded };
      if (unreachable) return { kind: "fails", milliseconds, reason, retryAfter, overloaded };
      return status === undefined ? { kind: "nothing" } : { kind: "answers", milliseconds };
    }
    case "abandoned":
    case "crowded":
    case "barred":
      return { kind: "nothing" };
  }
}
