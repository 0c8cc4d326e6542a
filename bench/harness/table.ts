import type { summary } from "./row.ts";

type Summary = ReturnType<typeof summary>;

const number = (value: number): string =>
  value >= 100
    ? Math.round(value).toLocaleString("en")
    : value.toLocaleString("en", { maximumSignificantDigits: 3 });

/** A line for ours and one for each baseline: figure, ratio, and what was to be reached. */
export function tableOf(summaries: readonly Summary[]): string {
  const lines = summaries.flatMap((one) => [
    `  ${one.name.padEnd(46)} ${number(one.ours).padStart(10)} ${one.unit.padEnd(14)} spread ${one.spread.toFixed(2)}`,
    ...Object.entries(one.baselines).map(([name, { median, ratio }]) => {
      const target = one.targets.find(({ baseline }) => baseline === name);
      return `    ${`against ${name}`.padEnd(44)} ${number(median).padStart(10)} ${"".padEnd(14)} ratio  ${ratio.toFixed(2)}${verdict(target)}`;
    }),
  ]);
  return lines.join("\n");
}

function verdict(target: Summary["targets"][number] | undefined): string {
  if (target === undefined) return "";
  const { atLeast, atMost, isMet } = target;
  const wanted = atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}`;
  return `, ${wanted}: ${isMet ? "met" : "NOT MET"}`;
}
