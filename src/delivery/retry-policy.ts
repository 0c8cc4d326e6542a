import type { Failing } from "./delivery-ledger.ts";

/**
 * `now` and `nextAttemptAt` in milliseconds since 1970; `retryAfter` in milliseconds, as the callback asked. With 0 attempts
 * nothing but `retryAfter` is waited for.
 */
export type RetryPolicy = (
  failing: Pick<Failing, "attempts" | "firstFailedAt">,
  now: number,
  retryAfter?: number,
) => { readonly nextAttemptAt: number } | "give-up";

interface Settings {
  /** Milliseconds after the first, second, … failure; the last one repeats. Never empty. */
  readonly schedule: readonly number[];
  /** Milliseconds after the first failure: the last attempt is made then. */
  readonly giveUpAfter: number;
  /** Evenly distributed in [0, 1). */
  readonly random: () => number;
}

/** Spreads the attempts of subscriptions that began to fail together. */
const jitter = 0.2;
const maxRetryAfter = 3_600_000;

export function createRetryPolicy({ schedule, giveUpAfter, random }: Settings): RetryPolicy {
  return ({ attempts, firstFailedAt }, now, retryAfter = 0) => {
    const left = firstFailedAt + giveUpAfter - now;
    if (left <= 0) return "give-up";
    const step = schedule[Math.min(attempts, schedule.length) - 1] ?? 0;
    const delay = step * (1 - jitter + 2 * jitter * random());
    return {
      nextAttemptAt: now + Math.round(Math.max(Math.min(delay, left), Math.min(retryAfter, maxRetryAfter))),
    };
  };
}
