export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

export interface Round {
  readonly perSecond: number;
  /** CPU time of the measured process for each piece of work. */
  readonly microseconds: number;
}

/** Runs `work` and says how fast it went, and what it cost this process. */
export async function timed(count: number, work: () => Promise<void>): Promise<Round> {
  const [began, cpu] = [performance.now(), process.cpuUsage()];
  await work();
  const [milliseconds, { user, system }] = [performance.now() - began, process.cpuUsage(cpu)];
  return { perSecond: (count / milliseconds) * 1000, microseconds: (user + system) / count };
}

/** The medians of both contenders, and how many times as fast the first is as the second. */
export function compare(
  ours: readonly Round[],
  baseline: readonly Round[],
  names: readonly [string, string],
): string {
  const line = (name: string, rounds: readonly Round[]): string => {
    const perSecond = Math.round(median(rounds.map((round) => round.perSecond)));
    const microseconds = median(rounds.map((round) => round.microseconds)).toFixed(1);
    return `  ${name.padEnd(34)} ${perSecond.toLocaleString("en").padStart(9)}/s  ${microseconds.padStart(7)} µs CPU each`;
  };
  const ratio =
    median(ours.map(({ perSecond }) => perSecond)) / median(baseline.map(({ perSecond }) => perSecond));
  return `${line(names[0], ours)}\n${line(names[1], baseline)}\n  ratio ${ratio.toFixed(2)}`;
}
