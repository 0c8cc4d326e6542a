import { median, spread } from "./statistics.ts";

/** One figure of ours beside the same figure of each baseline, measured in the same rounds. */
export interface Row {
  readonly name: string;
  readonly unit: string;
  readonly ours: readonly number[];
  readonly baselines: Readonly<Record<string, readonly number[]>>;
  /** What the ratio of ours to a baseline is to reach: at least for rates, at most for times and sizes. */
  readonly targets: readonly Target[];
}

interface Target {
  readonly baseline: string;
  readonly atLeast?: number;
  readonly atMost?: number;
}

interface JudgedTarget extends Target {
  readonly ratio: number;
  readonly isMet: boolean;
}

/** The median of the rounds' own ratios: a slow minute of the machine slows both of a round. */
function ratioOf(ours: readonly number[], baseline: readonly number[]): number {
  return median(ours.map((value, round) => value / (baseline[round] ?? Number.NaN)));
}

function judge({ ours, baselines, targets }: Row): readonly JudgedTarget[] {
  return targets.map((target) => {
    const ratio = ratioOf(ours, baselines[target.baseline] ?? []);
    const { atLeast = 0, atMost = Number.POSITIVE_INFINITY } = target;
    return { ...target, ratio, isMet: ratio >= atLeast && ratio <= atMost };
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
