import { setTimeout as pause } from "node:timers/promises";
import { StorageUnavailable } from "../log/notification-log.ts";

const firstPause = 200;
const longestPause = 5_000;
/** How long, in milliseconds, a reader is kept waiting for a store that is away before it is asked to come back later. */
const patience = 120_000;

/**
 * The result of `read`, tried again while the store is away. Throws `StorageUnavailable` when patience ends or when
 * nobody waits for the result any more.
 */
export async function whenReachable<Result>(
  read: () => Promise<Result>,
  { isWanted, now }: { isWanted: () => boolean; now: () => number },
): Promise<Result> {
  const began = now();
  for (let wait = firstPause; ; wait = Math.min(wait * 2, longestPause)) {
    try {
      return await read();
    } catch (error) {
      const worthWaiting = error instanceof StorageUnavailable && isWanted() && now() - began < patience;
      if (!worthWaiting) throw error;
      // Readers that lost the store together do not all ask for it at once.
      await pause(wait * (0.5 + Math.random()), undefined, { ref: false });
    }
  }
}
