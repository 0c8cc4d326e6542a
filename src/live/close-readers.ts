import { once } from "node:events";
import type { LiveReader } from "./live-reader.ts";

/** Readers come back as they went: about one in so many milliseconds, as long as that does not take too long. */
const millisecondsApart = 5;
const longestSpread = 5_000;

/** Ends every reader, at moments drawn by lot; those that have not gone when `deadline` aborts are cut off. */
export async function closeReaders(present: readonly LiveReader[], deadline: AbortSignal): Promise<void> {
  const spread = Math.min(longestSpread, present.length * millisecondsApart);
  const timers = present.map((reader) => setTimeout(() => reader.end(), Math.random() * spread));
  const done = new AbortController();
  const timeIsUp = deadline.aborted
    ? undefined
    : once(deadline, "abort", { signal: done.signal }).catch(() => {});

  await Promise.race([Promise.all(present.map(({ left }) => left)), timeIsUp]);
  done.abort();
  for (const timer of timers) clearTimeout(timer);
  for (const reader of present) reader.destroy();
}
