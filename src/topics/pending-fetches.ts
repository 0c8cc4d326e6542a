import { randomUUID } from "node:crypto";
import {
  claimed,
  type ClaimedFetch,
  type FetchSettlement,
  type PendingFetch,
  pinged,
  settled,
} from "./pending-fetch.ts";

/** Where pending fetches are kept. Every method throws `StorageUnavailable` where the store cannot be reached. */
export interface PendingRows {
  /**
   * Puts what `next` makes of the row, or removes it where that is `undefined`, as one durable step: `next` can be called
   * several times, where others change the row meanwhile. Answers what was put.
   */
  change(
    target: string,
    next: (row: PendingFetch | undefined) => Omit<PendingFetch, "revision"> | undefined,
  ): Promise<PendingFetch | undefined>;
  /** Targets whose `dueAt` has come, the earliest first. */
  due(now: number, limit: number): Promise<readonly string[]>;
}

/** Remembers what is to be fetched, until it was: over crashes, and among the processes on one store. */
export function createPendingFetches(rows: PendingRows, now: () => number) {
  return {
    /** Resolves when the ping would survive a crash. */
    async remember(target: string): Promise<void> {
      await rows.change(target, (row) => pinged(row, now()));
    },
    /** What is due, each for one of those who ask; others get it when the claim has lapsed, after `lapse` milliseconds. */
    async claim(lapse: number, limit: number): Promise<readonly ClaimedFetch[]> {
      const mine: ClaimedFetch[] = [];
      for (const target of await rows.due(now(), limit)) {
        const claim = randomUUID();
        const row = await rows.change(target, (before) =>
          before === undefined || before.dueAt > now() ? before : claimed(before, claim, now() + lapse),
        );
        if (row?.claim !== claim) continue;
        const { pings, failures, since } = row;
        mine.push({ target, claim, pings, failures, since });
      }
      return mine;
    },
    async settle(fetch: ClaimedFetch, settlement: FetchSettlement): Promise<void> {
      await rows.change(fetch.target, (row) =>
        row === undefined || row.claim !== fetch.claim ? row : settled(row, fetch, settlement, now()),
      );
    },
  };
}

export type PendingFetches = ReturnType<typeof createPendingFetches>;
