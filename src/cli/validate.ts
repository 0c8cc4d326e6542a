import { Command, InvalidArgumentError, Option } from "commander";
import colors from "picocolors";
import type { Fault } from "../protocol/fault.ts";
import {
  type AcceptedProfile,
  judgeNotification,
  type NotificationKind,
} from "../protocol/judge-notification.ts";
import { printable } from "./describe-notification.ts";
import { readSource } from "./document-source.ts";
import { describeFault } from "./fault-report.ts";
import { followDocuments } from "./follow-documents.ts";

interface ValidateOptions {
  readonly as?: NotificationKind;
  readonly profile?: Exclude<AcceptedProfile, "auto">;
  readonly json?: boolean;
  readonly follow?: boolean;
  readonly otherOrigins?: boolean;
  readonly maxDocuments?: number;
}

function parseCount(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Write a whole number from 1 on.");
}

interface Wishes {
  readonly as: NotificationKind | undefined;
  readonly profile: AcceptedProfile;
}

/** One element of what `--json` prints. */
interface Report {
  readonly file: string;
  readonly valid: boolean;
  /** `null` where the document could not be read. */
  readonly profile: string | null;
  readonly kind: string | null;
  readonly faults: readonly Fault[];
  /** Only where the file or URL could not be read. */
  readonly error?: string;
}

interface Judged {
  readonly report: Report;
  readonly text: string;
}

const help = `
This version knows change notifications and framework notifications, in the profiles 1.0.1, 1.0 and 0.8. The other
ResourceSync documents (resource lists, change lists, capability lists …) come with a later version.

Exit status: 0 all valid, 1 at least one invalid, 2 at least one could not be read.

Examples:
  resourcesync-hub validate notification.xml
  resourcesync-hub validate --as change-notification --profile 1.0.1 *.xml
  curl -s https://example.org/topic | resourcesync-hub validate --json -`;

async function judge(file: string, { as, profile }: Wishes): Promise<Judged> {
  const source = await readSource(file);
  if (source.kind === "unread") {
    const report = { file, valid: false, profile: null, kind: null, faults: [], error: source.why };
    return { report, text: "" };
  }
  const verdict = judgeNotification(source.bytes, as, profile);
  const text = Buffer.from(source.bytes).toString("utf8");
  if (verdict.kind === "valid") {
    const { kind, profile: found } = verdict.notification;
    return { text, report: { file, valid: true, profile: found, kind, faults: verdict.warnings } };
  }
  const { judgedAs, faults } = verdict;
  const kind = judgedAs?.type ?? null;
  return { text, report: { file, valid: false, profile: judgedAs?.profile ?? null, kind, faults } };
}

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;

function headline({ file, valid, kind, profile, faults, error }: Report): string {
  const name = colors.bold(file === "-" ? "standard input" : file);
  if (error !== undefined) return `${colors.red("?")} ${name}: could not be read: ${printable(error)}`;
  const warnings = faults.filter(({ severity }) => severity === "warning").length;
  const errors = faults.length - warnings;
  const what = kind === null ? "" : ` ${kind}, profile ${profile}`;
  const besides = warnings === 0 ? "" : `, ${counted(warnings, "warning")}`;
  return valid
    ? `${colors.green("✓")} ${name}: valid${what}${besides}`
    : `${colors.red("✗")} ${name}: invalid${what}, ${counted(errors, "error")}${besides}`;
}

function print({ report, text }: Judged): void {
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n?|\n/);
  console.log(headline(report));
  for (const fault of report.faults) console.log(`\n${describeFault(fault, lines, colors)}`);
  if (report.faults.length > 0) console.log("");
}

/** 2 outweighs 1: whoever asks about many files wants to know that one was not looked at. */
const exitCodeOf = (reports: readonly Report[]): number => {
  if (reports.some(({ error }) => error !== undefined)) return 2;
  return reports.every(({ valid }) => valid) ? 0 : 1;
};

/** `validate`: checks documents, and says what is wrong, where, by which rule. */
export function validateCommand(): Command {
  return new Command("validate")
    .description("checks ResourceSync notifications, and says what is wrong, where, by which rule")
    .argument("<documents...>", "files, http(s) URLs, or - for standard input")
    .addOption(
      new Option("--as <type>", "what it is to be (default: recognised)").choices([
        "change-notification",
        "framework-notification",
      ]),
    )
    .addOption(
      new Option("--profile <profile>", "by which version it is judged (default: recognised)").choices([
        "1.0.1",
        "1.0",
        "0.8",
        "lenient",
      ]),
    )
    .option("--json", "print an array of { file, valid, profile, kind, faults }")
    .addOption(new Option("--follow", "walk from a URL through everything that it links to"))
    .addOption(new Option("--other-origins", "with --follow: to other origins too"))
    .addOption(
      new Option("--max-documents <number>", "with --follow: fetch at most so many documents")
        .default(200)
        .argParser(parseCount),
    )
    .addHelpText("after", help)
    .action(async (files: readonly string[], options: ValidateOptions) => {
      if (options.follow === true) {
        const codes: number[] = [];
        for (const file of files) codes.push(await followDocuments(file, options));
        process.exitCode = Math.max(...codes);
        return;
      }
      const judged: Judged[] = [];
      for (const file of files) {
        const each = await judge(file, { as: options.as, profile: options.profile ?? "auto" });
        judged.push(each);
        if (options.json !== true) print(each);
      }
      const reports = judged.map(({ report }) => report);
      if (options.json === true) console.log(JSON.stringify(reports, null, 2));
      process.exitCode = exitCodeOf(reports);
    });
}
