import { setTimeout as pause } from "node:timers/promises";
import { backoff } from "./backoff.ts";

/** No answer that decides came back from the hub. The same request can be sent again. */
export class HubUnreachable extends Error {
  override name = "HubUnreachable";
  readonly mayRetry = true;
}

export type Attempt<Outcome> =
  | { readonly kind: "decided"; readonly outcome: Outcome }
  /** `retryAfter`: milliseconds that the hub asked for. */
  | { readonly kind: "again"; readonly error: Error; readonly retryAfter: number };

const pauses = { first: 500, longest: 10_000 };
const longestRetryAfter = 30_000;
const passing = new Set([429, 502, 503, 504]);

/** Whether the same request can succeed after this answer: the hub's or a proxy's. */
export const mayPass = (status: number): boolean => passing.has(status);

/** Milliseconds; the form with a date is not used by hubs that are merely busy. */
export function retryAfterOf(header: string | string[] | undefined): number {
  const seconds = Number(header);
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0) * 1000, longestRetryAfter) : 0;
}

/** Attempts, with pauses between them, until one says more than "again". Throws `HubUnreachable` after the last. */
export async function untilDecided<Outcome>(
  url: string | URL,
  { attempts, signal }: { readonly attempts: number; readonly signal: AbortSignal | undefined },
  send: () => Promise<Attempt<Outcome>>,
): Promise<Outcome> {
  for (let attempt = 1; ; attempt += 1) {
    const made = await send();
    if (made.kind === "decided") return made.outcome;
    const { error, retryAfter } = made;
    if (attempt >= attempts) {
      throw new HubUnreachable(
        `The hub could not be reached at ${String(url)} (${attempt} attempts): ${error.message}`,
        { cause: error },
      );
    }
    const wait = Math.max(backoff(attempt, pauses, Math.random()), retryAfter);
    await pause(wait, undefined, { signal });
  }
}
