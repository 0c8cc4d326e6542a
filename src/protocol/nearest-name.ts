const plain = (name: string): string => name.toLowerCase().replaceAll(/[-_\s]/g, "");

/** The name that was probably meant: at most every third character is wrong. */
export function nearest(typed: string, names: readonly string[]): string | undefined {
  const ranked = names
    .map((name) => ({ name, distance: editDistance(plain(typed), plain(name)) }))
    .toSorted((a, b) => a.distance - b.distance);
  const [best] = ranked;
  return best !== undefined && best.distance <= Math.max(1, Math.floor(typed.length / 3))
    ? best.name
    : undefined;
}

/** Insertions, deletions, replacements, and exchanges of neighbours (Damerau, optimal string alignment). */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Infinity;
  for (let i = 0; i <= a.length; i += 1) {
    const row: number[] = [];
    rows.push(row);
    for (let j = 0; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      const exchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        i === 0 || j === 0
          ? i + j
          : Math.min(
              at(i - 1, j) + 1,
              at(i, j - 1) + 1,
              at(i - 1, j - 1) + (same ? 0 : 1),
              exchanged ? at(i - 2, j - 2) + 1 : Infinity,
            ),
      );
    }
  }
  return at(a.length, b.length);
}
