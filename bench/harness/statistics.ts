export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** `part` from 0 to 1; the nearest value at or above it. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

/** How far the rounds lie apart: the greatest beside the smallest. */
export function spread(values: readonly number[]): number {
  return Math.max(...values) / Math.min(...values);
}
