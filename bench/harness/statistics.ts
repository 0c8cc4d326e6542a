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
  const [least, greatest] = [Math.min(...values), Math.max(...values)];
  return least === greatest ? 1 : greatest / least;
}

/** The line through values at equal distances (least squares): how far it rises in all, and how far they lie about it. */
export function trendOf(values: readonly number[]): { readonly rise: number; readonly deviation: number } {
  const count = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const middle = (count - 1) / 2;
  const [across, along] = values.reduce(
    ([products, squares], value, index) => [
      products + (index - middle) * (value - mean),
      squares + (index - middle) ** 2,
    ],
    [0, 0] as [number, number],
  );
  const slope = along === 0 ? 0 : across / along;
  const squares = values.map((value, index) => (value - mean - slope * (index - middle)) ** 2);
  const deviation = Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / count);
  return { rise: slope * (count - 1), deviation };
}
