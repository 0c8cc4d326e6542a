import type colors from "picocolors";
import { ruleFacts } from "../protocol/all-rules.ts";
import { explainRule } from "../protocol/explain-rule.ts";
import type { Fault } from "../protocol/fault.ts";
import { printable } from "./describe-notification.ts";

export type Colors = ReturnType<typeof colors.createColors>;

/** Columns of the document that are shown around a place. */
const shownBefore = 60;
const shownAfter = 60;

/** The line of the document with a mark under the place; long lines are cut around it. */
function excerpt(lines: readonly string[], { line, column, severity }: Fault, paint: Colors): string[] {
  const text = lines[line - 1];
  if (text === undefined || text.trim() === "") return [];
  const start = column > shownBefore ? column - shownBefore : 0;
  const shown = text.slice(start, column + shownAfter);
  const before = start > 0 ? "…" : "";
  const after = start + shown.length < text.length ? "…" : "";
  const margin = `${line} | `;
  const gap = " ".repeat(margin.length + before.length + column - 1 - start);
  const mark = severity === "error" ? paint.red("^") : paint.yellow("^");
  // A tab becomes one space, so that the mark stands below its place.
  const words = printable(shown.replaceAll("\t", " "));
  return [`  ${paint.dim(margin)}${before}${words}${after}`, `  ${gap}${mark}`];
}

function heading({ rule, severity, line, column, path }: Fault, paint: Colors): string {
  const word = severity === "error" ? paint.red("error") : paint.yellow("warning");
  const where = path === "" ? "" : paint.dim(`  ${path}`);
  return `${paint.bold(`${line}:${column}`)} ${word} ${paint.bold(rule)}${where}`;
}

/** What the rule demands, and why; nothing for what is no rule. */
function reasons(rule: string, paint: Colors): string[] {
  const [sentence, why] = [ruleFacts(rule)?.sentence, explainRule(rule)?.why];
  return [
    ...(sentence === undefined ? [] : [paint.dim(`  Rule ${rule}: ${sentence}`)]),
    ...(why === undefined ? [] : [paint.dim(`  Why: ${why}`)]),
  ];
}

/**
 * Faults for a person: place, rule, the line with a mark, what is wrong and how to mend it, and, where a rule is met for
 * the first time, what it demands and why.
 */
export function describeFaults(faults: readonly Fault[], lines: readonly string[], paint: Colors): string[] {
  const met = new Set<string>();
  return faults.map((fault) => {
    const isNew = !met.has(fault.rule);
    met.add(fault.rule);
    return [
      heading(fault, paint),
      ...excerpt(lines, fault, paint),
      `  ${printable(fault.message)}`,
      ...(isNew ? reasons(fault.rule, paint) : []),
    ].join("\n");
  });
}
