import { expect, test } from "vitest";
import type { EngineName, FaultName } from "./fault-kinds.ts";
import { planOf } from "./plan.ts";
import { runRounds } from "./run-rounds.ts";

/** Two rounds, one after the other; in each, subscribing, catching up and ending may wait for minutes before they fail. */
const patience = 720_000;

/** A few of the rounds of `npm run test:faults`, one for each promise that is easiest to break. */
const rounds: Record<EngineName, readonly FaultName[]> = {
  embedded: ["hub-killed", "torn-write"],
  redis: ["one-of-two-killed", "redis-power-cut", "redis-out-of-memory"],
};

test.each<EngineName>(["embedded", "redis"])(
  "whatever happens to it, %s: what was acknowledged comes to everybody, in order, unchanged, and once but for a repeat for each fault",
  async (engine) => {
    const lines: string[] = [];
    const plans = rounds[engine].map((kind, index) => {
      const plan = planOf(engine, 41 + index, kind);
      return { ...plan, faults: plan.faults.slice(0, 1), rest: 50 };
    });
    const { failed } = await runRounds(plans, 3, (line) => lines.push(line));
    expect({ failed, lines }).toMatchObject({ failed: 0 });
  },
  patience,
);
