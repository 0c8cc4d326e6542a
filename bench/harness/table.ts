import type { Summary } from "./row.ts";

export const figure = (value: number): string =>
  Math.abs(value) >= 100
    ? Math.round(value).toLocaleString("en")
    : value.toLocaleString("en", { maximumSignificantDigits: 3 });

/** A line for ours and one for each baseline: figure, ratio, and what was to be reached. */
export function tableOf(summaries: readonly Summary[]): string {
  const lines = summaries.flatMap((one) => {
    const own = one.targets.find(({ baseline }) => baseline === undefined);
    return [
      `  ${one.name.padEnd(58)} ${figure(one.ours).padStart(10)} ${one.unit.padEnd(8)} spread ${one.spread.toFixed(2)}${suffix(own, one.unit)}`,
      ...Object.entries(one.baselines).map(([name, { median, ratio }]) => {
        const target = one.targets.find(({ baseline }) => baseline === name);
        return `    ${`against ${name}`.padEnd(56)} ${figure(median).padStart(10)} ${"".padEnd(8)} ratio  ${ratio.toFixed(2)}${suffix(target, one.unit)}`;
      }),
    ];
  });
  return lines.join("\n");
}

const suffix = (target: Summary["targets"][number] | undefined, unit: string): string =>
  target === undefined ? "" : `, ${verdict(target, unit)}`;

/** What was to be reached, and whether it was. */
export function verdict(target: Summary["targets"][number], unit: string): string {
  const { atLeast, atMost, atMostMore, value, isMet } = target;
  const wanted =
    atMostMore === undefined
      ? atLeast === undefined
        ? `at most ${figure(atMost ?? Number.NaN)}`
        : `at least ${figure(atLeast)}`
      : `${figure(value)} ${unit} more, at most ${figure(atMostMore)}`;
  return `${wanted}: ${isMet ? "met" : "NOT MET"}`;
}
