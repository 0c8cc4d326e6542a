/** Milliseconds since 1970 with fractions: the same clock in every process of a machine. */
export function preciseNow(): number {
  return performance.timeOrigin + performance.now();
}
