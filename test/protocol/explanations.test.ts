import { describe, expect, test } from "vitest";
import { ruleFacts, ruleIds } from "../../src/protocol/all-rules.ts";
import { explainedRules, explainRule, showFragment } from "../../src/protocol/explain-rule.ts";
import type { NamedProfile } from "../../src/protocol/explanation.ts";
import { validateDocument } from "../../src/protocol/validate-document.ts";
import { around } from "./whole-document.ts";

const profiles: readonly NamedProfile[] = ["1.0.1", "1.0", "0.8", "lenient"];

test("every rule is explained, and nothing else is", () => {
  expect(ruleIds().length).toBeGreaterThan(140);
  expect(ruleIds().filter((id) => explainRule(id) === undefined)).toEqual([]);
  expect(new Set(ruleIds()).size).toBe(ruleIds().length);
  expect(explainRule("Z99")).toBeUndefined();
  expect(explainRule("constructor")).toBeUndefined();
});

describe.each(explainedRules())(
  "$id: $sentence",
  ({ id, place, valid, invalid, severities, why, source }) => {
    const severityIn = (fragment: typeof valid, profile: NamedProfile): string => {
      const { document, as } = around(place, fragment);
      const { faults } = validateDocument(Buffer.from(document), { as, profile });
      return faults.find(({ rule }) => rule === id)?.severity ?? "none";
    };
    const native = profiles.find((profile) => severities[profile] !== "none") ?? "1.0.1";

    test("the valid fragment keeps it", () => {
      expect(severityIn(valid, native)).toBe("none");
    });

    test("the invalid fragment breaks it, as severely as is said for each profile", () => {
      const found = Object.fromEntries(profiles.map((profile) => [profile, severityIn(invalid, profile)]));
      expect(found).toEqual(severities);
    });

    test("says why in sentences, and names a source", () => {
      expect(why).toMatch(/^[A-Z].*[.]$/);
      expect(ruleFacts(id)?.sentence).toMatch(/[.]$/);
      expect(source).not.toBe("");
    });
  },
);

test("what is too long to be shown is shown with its number", () => {
  const [, rule] = [0, explainRule("X04")];
  expect(rule && showFragment(rule.invalid)).toContain("(50,001 times)");
  const nothing = explainRule("C13");
  expect(nothing && showFragment(nothing.invalid)).toBe("(nothing)");
});
