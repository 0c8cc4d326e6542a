import { describe, expect, test } from "vitest";
import { ruleFacts } from "../../src/protocol/all-rules.ts";
import { structureCases } from "./cases-of-common-rules.ts";
import { notificationCases } from "./cases-of-notification-rules.ts";
import { faultsOf } from "./documents.ts";

const cases = [...structureCases, ...notificationCases].map((each) => ({
  profile: "1.0.1" as const,
  ...each,
}));

describe.each(cases)("$rule under $profile", ({ rule, valid, invalid, as, profile }) => {
  const brokenIn = (document: string): string[] => faultsOf(document, as, profile).map((fault) => fault.rule);

  test("is silent where it is kept", () => {
    expect(brokenIn(valid)).not.toContain(rule);
  });

  test("speaks where it is broken, says what it demands and names its source", () => {
    const fault = faultsOf(invalid, as, profile).find((each) => each.rule === rule);
    const facts = ruleFacts(rule);
    expect(fault).toBeDefined();
    expect(facts?.sentence).toMatch(/\.$/);
    expect(fault?.message).toContain(facts?.source);
    expect(fault?.line).toBeGreaterThan(0);
    expect(fault?.column).toBeGreaterThan(0);
  });
});

test("every rule that can touch a notification has its case", () => {
  const families: Record<string, number[]> = {
    X: [1, 2, 3, 4, 5],
    N: [1, 2, 3, 4],
    C: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 20, 21, 22, 23, 24],
    V: [1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 17, 18, 19, 20],
    L: [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 16],
    T: [2, 5, 6, 7, 8, 11],
    CN: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
    FN: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13],
    W: [1, 2, 3, 4],
    S: [1],
  };
  const expected = Object.entries(families).flatMap(([family, numbers]) =>
    numbers.map((number) => `${family}${String(number).padStart(2, "0")}`),
  );
  const covered = new Set(cases.map(({ rule }) => rule));
  expect(expected.filter((rule) => !covered.has(rule))).toEqual([]);
});
