import type { Pace } from "./origin.ts";

/** The paces in the order of what they may hold, each together with those before it. */
const order: readonly Pace[] = ["slow", "unknown", "fast"];
const portions: Readonly<Record<Pace, number>> = { slow: 1 / 2, unknown: 3 / 4, fast: 1 };

interface Share {
  readonly width: number;
  held: number;
}

/**
 * Counts the slots that are held. The slow origins may hold half of them, together with the unknown ones three quarters: so
 * an unknown one always finds room beside slow ones, and those known to be fast beside both.
 */
export function createShares(concurrency: number) {
  const shareOf = (pace: Pace): Share => ({
    width: Math.max(1, Math.floor(concurrency * portions[pace])),
    held: 0,
  });
  const all = { slow: shareOf("slow"), unknown: shareOf("unknown"), fast: shareOf("fast") };
  const above: Readonly<Record<Pace, readonly Share[]>> = {
    slow: [all.slow, all.unknown, all.fast],
    unknown: [all.unknown, all.fast],
    fast: [all.fast],
  };
  return {
    order,
    hasRoom: (pace: Pace): boolean => above[pace].every(({ width, held }) => held < width),
    /** Takes so many slots, or gives them back where `count` is negative. */
    take(pace: Pace, count: number): void {
      for (const share of above[pace]) share.held += count;
    },
  };
}

export type Shares = ReturnType<typeof createShares>;
