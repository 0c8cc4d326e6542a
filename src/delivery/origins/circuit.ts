type CircuitState = "closed" | "open" | "half-open";

/** What an operator wants to know of it. */
export interface CircuitView {
  readonly state: CircuitState;
  /** Since when it is closed, or not closed. Milliseconds since 1970. */
  readonly since: number;
  /** When one attempt may probe; `undefined` while it is closed. */
  readonly until: number | undefined;
  /** Why it opened. */
  readonly because: string | undefined;
}

interface CircuitParts {
  readonly now: () => number;
  /** Evenly distributed in [0, 1). */
  readonly random: () => number;
}

/** Failures one after the other, without a success between them. */
const failuresToOpen = 5;
/** Doubles with each probe that fails. Milliseconds. */
const shortestPause = 1000;
/** Bounds also what the server asks for by `Retry-After`: whoever comes back is not kept waiting for longer. */
const longestPause = 300_000;
const jitter = 0.2;

/**
 * Keeps attempts away from a server that fails. Closed: they pass. Open: they do not. After a pause one of them probes
 * (half-open): its success closes the circuit, its failure opens it for longer.
 */
export function createCircuit({ now, random }: CircuitParts) {
  let state: CircuitState = "closed";
  let [since, until] = [now(), 0];
  let openedAt = 0;
  let [failures, openings] = [0, 0];
  let because: string | undefined;

  const open = (reason: string, retryAfter: number): void => {
    const pause = Math.min(shortestPause * 2 ** openings, longestPause);
    const spread = pause * (1 - jitter + 2 * jitter * random());
    if (state === "closed") since = now();
    openings += 1;
    openedAt = now();
    [state, because] = ["open", reason];
    until = now() + Math.round(Math.max(spread, Math.min(retryAfter, longestPause)));
  };

  return {
    /** Whether nothing may be sent at this time. A clock that was put back since it opened tells nothing of when that was. */
    bars: (): boolean => state === "open" && now() < until && now() >= openedAt,
    /** An attempt begins that it did not bar. */
    begin(): void {
      if (state === "open") state = "half-open";
    },
    /** The probe came to nothing: the next attempt is one. */
    abandon(): void {
      if (state === "half-open") state = "open";
    },
    /** Answers whether it closed by this. */
    succeed(): boolean {
      failures = 0;
      if (state === "closed") return false;
      [state, since, openings, because] = ["closed", now(), 0, undefined];
      return true;
    },
    /** `retryAfter` in milliseconds, as the server asked. */
    fail(reason: string, retryAfter: number): "opened" | "reopened" | undefined {
      failures += 1;
      if (state === "closed" && failures < failuresToOpen) return undefined;
      const turn = state === "closed" ? "opened" : "reopened";
      open(reason, retryAfter);
      return turn;
    },
    /** Whether the last thing that was heard of the server is a failure. */
    failed: (): boolean => state !== "closed" || failures > 0,
    view: (): CircuitView => ({ state, since, until: state === "closed" ? undefined : until, because }),
  };
}
