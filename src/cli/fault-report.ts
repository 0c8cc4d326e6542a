import type colors from "picocolors";
import { ruleFacts } from "../protocol/all-rules.ts";
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
  return [`  ${paint.dim(margin)}${before}${printable(shown)}${after}`, `  ${gap}${mark}`];
}

function heading({ rule, severity, line, column, path }: Fault, paint: Colors): string {
  const word = severity === "error" ? paint.red("error") : paint.yellow("warning");
  const where = path === "" ? "" : paint.dim(`  ${path}`);
  return `${paint.bold(`${line}:${column}`)} ${word} ${paint.bold(rule)}${where}`;
}

/** One fault for a person: place, rule, the line with a mark, why, and what the rule demands. */
export function describeFault(fault: Fault, lines: readonly string[], paint: Colors): string {
  const sentence = ruleFacts(fault.rule)?.sentence;
  return [
    heading(fault, paint),
    ...excerpt(lines, fault, paint),
    `  ${printable(fault.message)}`,
    ...(sentence === undefined ? [] : [paint.dim(`  Rule ${fault.rule}: ${sentence}`)]),
  ].join("\n");
}
