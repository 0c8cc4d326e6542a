import { readFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "prettier";
import { expect, test } from "vitest";
import { planOf } from "./plan.ts";
import { withResults } from "./reliability-page.ts";
import type { RoundResult } from "./round.ts";
import { runRounds } from "./run-rounds.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/reliability.md"), "utf8");
const formatted = (text: string): Promise<string> => format(text, { parser: "markdown", printWidth: 110 });
const nothing = {
  rounds: 7,
  notifications: 0,
  deliveries: 0,
  lost: 0,
  disordered: 0,
  otherViolations: 0,
  repeats: 0,
};
const ofRedis = {
  engine: "redis",
  at: "2026-03-02T00:00:00Z",
  seed: 1,
  rounds: 7,
  failed: 0,
  turnedAway: 0,
  slowestStart: 10,
  total: nothing,
  byFault: {},
} as const;

test("a violation of the round in which nothing happens is a failure of all", async () => {
  const lines: string[] = [];
  let played = 0;
  const violated = async (plan: RoundResult["plan"]): Promise<RoundResult> => {
    played += 1;
    return {
      plan,
      violations: [{ rule: "lost", who: "steady-0", detail: "3 of 9 did not come" }],
      notifications: 9,
      deliveries: 6,
      repeats: 0,
      turnedAway: 0,
      slowestStart: 0,
      milliseconds: 1,
      kinds: new Set<string>(),
      directory: "logs",
    };
  };
  const plans = [planOf("embedded", 1), planOf("embedded", 2)];
  const save = async (): Promise<void> => {};
  const { failed } = await runRounds(plans, 2, (line) => lines.push(line), save, violated);
  expect({ failed, played }).toEqual({ failed: 2, played: 1 });
  expect(lines.join("\n")).toContain("lost, steady-0: 3 of 9 did not come");
});

test("the page keeps what it says of an engine that has no result, as on a fresh clone", async () => {
  expect(await formatted(withResults(page, []))).toBe(await formatted(page));
  const written = await formatted(withResults(page, [ofRedis]));
  const [before = "", after = ""] = written.split("### redis");
  expect(before).toBe((await formatted(page)).split("### redis")[0]);
  expect(after).toContain("2026-03-02: 7 of 7");
});
