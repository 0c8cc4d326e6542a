import { type ExplainedRule, showFragment } from "../protocol/explain-rule.ts";
import type { Fragment, NamedProfile } from "../protocol/explanation.ts";
import type { Colors } from "./fault-report.ts";

/** The profiles grouped by what they make of a breach: `error; warning under lenient; not asked under 0.8`. */
export function severitiesOf({ severities, severity }: ExplainedRule): string {
  const profiles: readonly NamedProfile[] = ["1.0.1", "1.0", "0.8", "lenient"];
  const others = profiles
    .filter((profile) => severities[profile] !== severity)
    .map((profile) =>
      severities[profile] === "none"
        ? `not asked under ${profile}`
        : `${severities[profile]} under ${profile}`,
    );
  return [severity, ...others].join("; ");
}

function placeOf({ place }: ExplainedRule): string {
  const [spot = "", type] = place.split(" of ");
  const spots: Record<string, string> = {
    document: "the document",
    md: "the top-level rs:md",
    links: "the top-level links",
    top: "what stands before the entries",
    entries: "the entries",
    entry: "an entry, beside its loc,",
  };
  return type === undefined ? (spots[spot] ?? spot) : `${spots[spot] ?? spot} of a ${type}`;
}

/** One entry in a line. */
const inLines = (fragment: Fragment): string =>
  `    ${showFragment(fragment).replaceAll(/(<\/(?:url|sitemap)>)(?=<)/g, "$1\n    ")}`;

/** What `--explain` says about a rule that no single document can break. */
export function describeSourceRule(
  { id, sentence, source, severity }: { id: string; sentence: string; source: string; severity: string },
  paint: Colors,
): string {
  return [
    `${paint.bold(id)}  ${sentence}`,
    "",
    `  Severity  ${severity}`,
    `  Source    ${source}`,
    "  Checked   between documents: resourcesync-hub validate --follow URL",
  ].join("\n");
}

/** All that `--explain` says about a rule. */
export function describeRule(rule: ExplainedRule, paint: Colors): string {
  const { id, sentence, source, why, valid, invalid } = rule;
  return [
    `${paint.bold(id)}  ${sentence}`,
    "",
    `  Severity  ${severitiesOf(rule)}`,
    `  Source    ${source}`,
    `  Why       ${why}`,
    "",
    `  For ${placeOf(rule)} this is right:`,
    paint.green(inLines(valid)),
    "  and this is wrong:",
    paint.red(inLines(invalid)),
  ].join("\n");
}
