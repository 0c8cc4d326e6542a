import { z } from "zod";

/** What is to be fetched because somebody pinged, as both engines keep it. Times are milliseconds since 1970. */
export const pendingFetch = z.object({
  /** Pings so far, and how many of them the last fetch answered: where these are the same, nothing is to be fetched. */
  pings: z.number(),
  answered: z.number(),
  /** Failures in a row, and when the first ping came that is not answered yet. */
  failures: z.number(),
  since: z.number(),
  /** No fetch begins before it, whoever pings. */
  notBefore: z.number(),
  /** When to look at it again. */
  dueAt: z.number(),
  /** Of who fetches it now; lapses at `dueAt`. */
  claim: z.string().nullable(),
  /** Counts the changes, from 1. */
  revision: z.number(),
});

export type PendingFetch = z.infer<typeof pendingFetch>;

/** A fetch that was claimed; only who holds the claim can settle it. */
export interface ClaimedFetch {
  readonly target: string;
  readonly claim: string;
  readonly pings: number;
  readonly failures: number;
  readonly since: number;
}

export type FetchSettlement =
  | { readonly kind: "answered" }
  | { readonly kind: "failed"; readonly retryAt: number }
  /** Called off by us: says nothing about the topic. */
  | { readonly kind: "abandoned" };

/** Milliseconds between two fetches of one topic, whatever strangers ping; of one that fails, longer each time. */
const leastInterval = 1000;
const longestLeastInterval = 60_000;

/** The row without its revision, which the store counts. */
type Change = Omit<PendingFetch, "revision">;

/** A ping makes a fetch due, also where one that failed waits longer; while one runs, it asks for one more after it. */
export function pinged(row: PendingFetch | undefined, now: number): Change {
  if (row === undefined) {
    return {
      pings: 1,
      answered: 0,
      failures: 0,
      since: now,
      notBefore: now,
      dueAt: now,
      claim: null,
    };
  }
  const pings = row.pings + 1;
  if (row.claim !== null) return { ...row, pings };
  return { ...row, pings, since: now, dueAt: Math.max(now, row.notBefore) };
}

/** Hands out what is due; `undefined` where nothing is to be fetched any more and the row can go. */
export function claimed(row: PendingFetch, claim: string, until: number): Change | undefined {
  if (row.claim === null && row.pings === row.answered) return undefined;
  return { ...row, claim, dueAt: until };
}

/** What a fetch that ended leaves behind. A ping that came meanwhile is answered by one more fetch. */
export function settled(
  row: PendingFetch,
  { pings, failures }: ClaimedFetch,
  settlement: FetchSettlement,
  now: number,
): Change {
  const open = { ...row, claim: null };
  switch (settlement.kind) {
    case "answered": {
      const notBefore = now + leastInterval;
      return { ...open, answered: pings, failures: 0, since: now, notBefore, dueAt: notBefore };
    }
    case "failed": {
      const notBefore = now + Math.min(leastInterval * 2 ** failures, longestLeastInterval);
      const dueAt = row.pings > pings ? notBefore : Math.max(settlement.retryAt, notBefore);
      return { ...open, failures: failures + 1, notBefore, dueAt };
    }
    case "abandoned":
      return { ...open, dueAt: now };
  }
}
