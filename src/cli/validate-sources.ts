import colors from "picocolors";
import { reportOf, reportOfUnread, type ValidationReport } from "../protocol/validation-report.ts";
import { validateDocument, type ValidationOptions } from "../protocol/validate-document.ts";
import { printable } from "./describe-notification.ts";
import { readSource } from "./document-source.ts";
import { describeFaults } from "./fault-report.ts";

/** What was found out about one file or URL, with its text to show places in. */
export interface ValidatedSource {
  readonly report: ValidationReport;
  readonly text: string;
}

/** Reads and judges one file, URL, or standard input. */
export async function validateSource(file: string, options: ValidationOptions): Promise<ValidatedSource> {
  const source = await readSource(file);
  if (source.kind === "unread") return { report: reportOfUnread(file, source.why), text: "" };
  const report = reportOf(file, validateDocument(source.bytes, options));
  return { report, text: Buffer.from(source.bytes).toString("utf8") };
}

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;

function headline({ file, valid, type, profile, faults, error }: ValidationReport): string {
  const name = colors.bold(file === "-" ? "standard input" : file);
  if (error !== undefined) return `${colors.red("?")} ${name}: could not be read: ${printable(error)}`;
  const warnings = faults.filter(({ severity }) => severity === "warning").length;
  const errors = faults.length - warnings;
  const judgedAs = profile === null ? "" : ` ${type ?? "document of unknown type"}, profile ${profile}`;
  const besides = warnings === 0 ? "" : `, ${counted(warnings, "warning")}`;
  return valid
    ? `${colors.green("✓")} ${name}: valid${judgedAs}${besides}`
    : `${colors.red("✗")} ${name}: invalid${judgedAs}, ${counted(errors, "error")}${besides}`;
}

/** The report for a person. */
export function describeSource({ report, text }: ValidatedSource): string {
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n?|\n/);
  const faults = describeFaults(report.faults, lines, colors).map((fault) => `\n${fault}`);
  return [headline(report), ...faults, ...(faults.length > 0 ? [""] : [])].join("\n");
}

/** 2 outweighs 1: whoever asks about many files wants to know that one was not looked at. */
export function exitCodeOf(reports: readonly ValidationReport[]): 0 | 1 | 2 {
  if (reports.some(({ error }) => error !== undefined)) return 2;
  return reports.every(({ valid }) => valid) ? 0 : 1;
}
