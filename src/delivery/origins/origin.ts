import { type CircuitView, createCircuit } from "./circuit.ts";
import type { Verdict } from "./verdict.ts";

/** How soon an origin lets go of the slots that it is given; `unknown` before its first answer. */
export type Pace = "slow" | "unknown" | "fast";

interface OriginParts {
  /** Attempts at the same time, at most. */
  readonly width: number;
  /** Known from the store, where this process has not called it yet. */
  readonly failedBefore: boolean;
  readonly now: () => number;
  readonly random: () => number;
}

/** Of one attempt: that which began before its origin's last turn says nothing new. */
export type AttemptNumber = number;

/** What its end changed. */
export type Turn = "opened" | "reopened" | "closed" | undefined;

/** An origin whose answers take longer than this, in the moving average, is slow. Milliseconds. */
const slowFrom = 1000;
/** Of the newest answer in the moving average: one time-out makes an origin slow for some answers. */
const newestWeight = 0.2;
/** One that was never heard of may be a trap: it is asked for more with each answer. */
const firstLimit = 4;

/** What this process knows of one server, and how much it may ask of it. */
export function createOrigin({ width, failedBefore, now, random }: OriginParts) {
  const circuit = createCircuit({ now, random });
  let limit = Math.min(firstLimit, width);
  /** Until it is overloaded for the first time, each answer makes room for one more; then only each round of them does. */
  let wasCut = false;
  let running = 0;
  let begun: AttemptNumber = 0;
  /** The last attempts that began before the circuit turned, and before the limit was cut. */
  let [turnedAt, cutAt] = [0, 0];
  let answersSinceGrowth = 0;
  let average: number | undefined;
  let stored = failedBefore;
  let movedAt = now();

  const answered = (): Turn => {
    stored = false;
    answersSinceGrowth += 1;
    if (limit < width && (!wasCut || answersSinceGrowth >= limit))
      [limit, answersSinceGrowth] = [limit + 1, 0];
    if (!circuit.succeed()) return undefined;
    turnedAt = begun;
    return "closed";
  };
  const cut = (attempt: AttemptNumber): void => {
    if (attempt <= cutAt) return;
    [limit, cutAt, answersSinceGrowth, wasCut] = [Math.max(1, Math.floor(limit / 2)), begun, 0, true];
  };

  return {
    bars: circuit.bars,
    hasRoom: (): boolean => running < limit,
    isIdle: (): boolean => running === 0,
    begin(): AttemptNumber {
      if (running === 0) movedAt = now();
      running += 1;
      begun += 1;
      circuit.begin();
      return begun;
    },
    /** To be called once for each attempt that began. */
    end(attempt: AttemptNumber, verdict: Verdict): Turn {
      running -= 1;
      movedAt = now();
      if (verdict.kind !== "nothing") {
        const { milliseconds } = verdict;
        average = average === undefined ? milliseconds : average + (milliseconds - average) * newestWeight;
      }
      if (attempt <= turnedAt) return undefined;
      if (verdict.kind === "answers") return answered();
      if (verdict.kind === "nothing") {
        circuit.abandon();
        return undefined;
      }
      if (verdict.overloaded) cut(attempt);
      const turn = circuit.fail(verdict.reason, verdict.retryAfter);
      if (turn === undefined) return undefined;
      // After a failure of the whole server it is asked for more little by little.
      [turnedAt, limit, answersSinceGrowth, wasCut] = [begun, 1, 0, true];
      return turn;
    },
    pace(): Pace {
      if (stored || circuit.failed() || (average ?? 0) > slowFrom) return "slow";
      // It let go of nothing for a while: too long to wait for the averages.
      if (running > 0 && now() - movedAt > slowFrom) return "slow";
      return average === undefined ? "unknown" : "fast";
    },
    view: (): CircuitView & { running: number; limit: number; averageMilliseconds: number | undefined } => ({
      ...circuit.view(),
      running,
      limit,
      averageMilliseconds: average === undefined ? undefined : Math.round(average),
    }),
  };
}

export type Origin = ReturnType<typeof createOrigin>;
