/**
 * Milliseconds to wait before attempt `attempt` (from 1) after a failure: doubled each time, drawn between half and whole so
 * that many clients do not come back together. `random` is from 0 to 1.
 */
export function backoff(
  attempt: number,
  { first, longest }: { first: number; longest: number },
  random: number,
): number {
  const whole = Math.min(longest, first * 2 ** Math.min(attempt - 1, 30));
  return Math.round(whole * (0.5 + random / 2));
}
