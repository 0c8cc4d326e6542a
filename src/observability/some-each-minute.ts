/** Answers `true` so many times in each minute of the clock. */
export function someEachMinute(most: number, now: () => number = Date.now): () => boolean {
  let minute = -1;
  let told = 0;
  return () => {
    const current = Math.floor(now() / 60_000);
    if (current !== minute) [minute, told] = [current, 0];
    told += 1;
    return told <= most;
  };
}
