interface Bucket {
  tokens: number;
  /** Milliseconds since 1970. */
  filledAt: number;
}

export type RateLimit = (client: string) => number;

/** More clients at once than that are not told apart for long: the one that was quiet longest is forgotten. */
const maxClients = 10_000;

/**
 * A token bucket for each client: `perMinute` requests at once, and then as many each minute. Answers 0 where the request may go
 * on, else the seconds to wait.
 */
export function createRateLimit(perMinute: number, now: () => number): RateLimit {
  const buckets = new Map<string, Bucket>();
  const perMillisecond = perMinute / 60_000;

  return (client) => {
    const time = now();
    const known = buckets.get(client) ?? { tokens: perMinute, filledAt: time };
    const elapsed = Math.max(0, time - known.filledAt);
    const tokens = Math.min(perMinute, known.tokens + elapsed * perMillisecond);
    const isAllowed = tokens >= 1;
    // Set anew, so that the map stays in the order of the last request.
    buckets.delete(client);
    buckets.set(client, { tokens: isAllowed ? tokens - 1 : tokens, filledAt: time });
    if (buckets.size > maxClients) {
      const [quietest] = buckets.keys();
      if (quietest !== undefined) buckets.delete(quietest);
    }
    return isAllowed ? 0 : Math.max(1, Math.ceil((1 - tokens) / perMillisecond / 1000));
  };
}
