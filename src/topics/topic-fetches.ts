import { reportFault } from "../log/report-fault.ts";
import type { Events } from "../observability/events.ts";
import { startPeriodicTask } from "../observability/periodic-task.ts";
import type { FetchOutcome } from "./fetch-outcome.ts";
import type { ClaimedFetch, FetchSettlement } from "./pending-fetch.ts";
import type { PendingFetches } from "./pending-fetches.ts";

interface Parts {
  readonly pending: Pick<PendingFetches, "claim" | "settle">;
  /** By the name of the target. */
  readonly fetch: (target: string) => Promise<FetchOutcome>;
  readonly events: Pick<
    Events,
    "topicFetchFailed" | "topicFetchGivenUp" | "storageUnavailable" | "unexpected"
  >;
  readonly now: () => number;
}

export interface TopicFetches {
  /** Looks at once for what is due. */
  wake(): void;
  /** Resolves when no fetch runs any more; whoever calls it has called them off, or waits for them. */
  close(): Promise<void>;
}

/** Each holds a whole document in memory. */
const fetchesAtOnce = 8;
/** Milliseconds; retries and the pings of other processes are found by this. */
const lookEvery = 250;
/** Longer than a fetch and its append take; then another process may take it up. Milliseconds. */
const claimLapse = 60_000;
/** Milliseconds; the last one repeats. */
const retryAfter = [5_000, 30_000, 120_000, 600_000, 1_800_000, 3_600_000];
const giveUpAfter = 24 * 3_600_000;

/** Fetches what was pinged, until it succeeded or a day has passed. What it needs is in the store: a restart changes nothing. */
export function startTopicFetches({ pending, fetch, events, now }: Parts): TopicFetches {
  const running = new Set<Promise<void>>();
  const report = reportFault(events, "fetches of topics");
  let closing = false;

  async function look(): Promise<void> {
    const room = fetchesAtOnce - running.size;
    if (closing || room <= 0) return;
    for (const claim of await pending.claim(claimLapse, room)) {
      const work = run(claim)
        // The claim lapses, and then it is tried again.
        .catch(report)
        .finally(() => {
          running.delete(work);
          wake();
        });
      running.add(work);
    }
  }

  let looking: Promise<void> | undefined;
  let again = false;
  /** One look at a time; who comes meanwhile gets one more after it. */
  function wake(): void {
    if (closing) return;
    again = true;
    looking ??= (async () => {
      while (again) {
        again = false;
        await look();
      }
    })()
      .catch(report)
      .finally(() => {
        looking = undefined;
      });
  }

  async function run(claim: ClaimedFetch): Promise<void> {
    await pending.settle(claim, settlementOf(claim, await fetch(claim.target)));
  }

  function settlementOf(claim: ClaimedFetch, outcome: FetchOutcome): FetchSettlement {
    if (outcome.kind !== "failed") return outcome;
    const failures = claim.failures + 1;
    const { target } = claim;
    const { reason, mayRetry } = outcome;
    const retryAt = now() + (retryAfter[claim.failures] ?? retryAfter.at(-1) ?? 0);
    if (!mayRetry || retryAt - claim.since > giveUpAfter) {
      events.topicFetchGivenUp({ target, failures, reason });
      return { kind: "answered" };
    }
    events.topicFetchFailed({ target, failures, reason, nextFetchAt: new Date(retryAt).toISOString() });
    return { kind: "failed", retryAt };
  }

  const task = startPeriodicTask(
    lookEvery,
    async () => {
      wake();
      await looking;
    },
    report,
  );
  return {
    wake,
    async close() {
      closing = true;
      await task.close();
      await looking;
      await Promise.all(running);
    },
  };
}
