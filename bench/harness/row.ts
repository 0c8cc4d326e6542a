import { median, spread } from "./statistics.ts";

/** One figure of ours beside the same figure of each baseline, measured in the same rounds. */
export interface Row {
  readonly name: string;
  readonly unit: string;
  readonly ours: readonly number[];
  readonly baselines: Readonly<Record<string, readonly number[]>>;
  /** What is to be reached beside a baseline: at least for rates, at most for times and sizes. */
  readonly targets: readonly Target[];
}

interface Target {
  /** Where it is left out, the figure itself is judged. */
  readonly baseline?: string;
  /** Of the ratio of ours to the baseline's. */
  readonly atLeast?: number;
  readonly atMost?: number;
  /** Of the difference of ours and the baseline's, in the unit of the row. */
  readonly atMostMore?: number;
}

interface JudgedTarget extends Target {
  /** What was compared with the bound: a ratio, a difference, or the figure itself. */
  readonly value: number;
  readonly isMet: boolean;
}

/** The median of the rounds' own ratios: a slow minute of the machine slows both of a round. */
function ratioOf(ours: readonly number[], baseline: readonly number[]): number {
  return median(ours.map((value, round) => value / (baseline[round] ?? Number.NaN)));
}

function differenceOf(ours: readonly number[], baseline: readonly number[]): number {
  return median(ours.map((value, round) => value - (baseline[round] ?? Number.NaN)));
}

function judge({ ours, baselines, targets }: Row): readonly JudgedTarget[] {
  return targets.map((target) => {
    const { baseline, atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = target;
    const beside = baseline === undefined ? undefined : (baselines[baseline] ?? []);
    if (beside !== undefined && target.atMostMore !== undefined) {
      const value = differenceOf(ours, beside);
      return { ...target, value, isMet: value <= target.atMostMore };
    }
    const value = beside === undefined ? median(ours) : ratioOf(ours, beside);
    return { ...target, value, isMet: value >= atLeast && value <= atMost };
  });
}

/** What stands in the table and in the file of results. */
export function summary(row: Row) {
  const { name, unit, ours, baselines } = row;
  return {
    name,
    unit,
    ours: median(ours),
    spread: spread(ours),
    baselines: Object.fromEntries(
      Object.entries(baselines).map(([key, values]) => [
        key,
        { median: median(values), ratio: ratioOf(ours, values) },
      ]),
    ),
    targets: judge(row),
    rounds: { ours, baselines },
  };
}

export type Summary = ReturnType<typeof summary>;
