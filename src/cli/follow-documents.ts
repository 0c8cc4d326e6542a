import colors from "picocolors";
import { sourceRuleFacts } from "../client/check-source.ts";
import { type Walk, walkSource } from "../client/walk-source.ts";
import type { SkippedLink } from "../client/walk-frontier.ts";
import type { SourceFinding, WalkedDocument } from "../client/walked-document.ts";
import type { AcceptedProfile } from "../protocol/recognise-document.ts";
import { printable } from "./describe-notification.ts";
import { describeFaults } from "./fault-report.ts";
import { createProgressBar } from "./progress-bar.ts";

export interface FollowOptions {
  readonly profile?: AcceptedProfile | undefined;
  readonly json?: boolean | undefined;
  readonly otherOrigins?: boolean | undefined;
  readonly packages?: boolean | undefined;
  readonly maxDocuments?: number | undefined;
}

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;

function headline({ url, kind, type, profile, valid, faults, error }: WalkedDocument): string {
  const name = colors.bold(printable(url));
  if (error !== undefined) return `${colors.red("?")} ${name}: could not be read: ${printable(error)}`;
  if (kind === "package") return `${colors.green("✓")} ${name}: package of a dump`;
  if (kind === "topic") return `${colors.green("✓")} ${name}: topic of a notification channel`;
  const warnings = faults.filter(({ severity }) => severity === "warning").length;
  const errors = faults.length - warnings;
  const what = type === null ? "" : ` ${type}, profile ${profile}`;
  const besides = warnings === 0 ? "" : `, ${counted(warnings, "warning")}`;
  return valid
    ? `${colors.green("✓")} ${name}: valid${what}${besides}`
    : `${colors.red("✗")} ${name}: invalid${what}, ${counted(errors, "error")}${besides}`;
}

function describeDocument(document: WalkedDocument, text: string): string {
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n?|\n/);
  const { redirects, linkedFrom, error } = document;
  return [
    headline(document),
    ...(redirects.length === 0 ? [] : [colors.dim(`  after ${counted(redirects.length, "redirect")}`)]),
    ...(error === undefined || linkedFrom === null ? [] : [`  linked from ${printable(linkedFrom)}`]),
    ...describeFaults(document.faults, lines, colors).map((text) => `\n${text}`),
    ...(document.faults.length === 0 ? [] : [""]),
  ].join("\n");
}

function describeFinding({ rule, severity, message, url }: SourceFinding): string {
  const word = severity === "error" ? colors.red("error") : colors.yellow("warning");
  const sentence = sourceRuleFacts(rule)?.sentence ?? "";
  return [
    `\n${word} ${colors.bold(rule)}  ${printable(url)}`,
    `  ${printable(message)}`,
    colors.dim(`  Rule ${rule}: ${sentence}`),
  ].join("\n");
}

const describeSkipped = ({ url, linkedFrom, why }: SkippedLink): string =>
  `${colors.yellow("-")} ${printable(url)} ${why} (linked from ${printable(linkedFrom)})`;

function summary({ documents, findings, skipped }: Walk): string {
  const invalid = documents.filter(({ valid, error }) => !valid && error === undefined).length;
  const unread = documents.filter(({ error }) => error !== undefined).length;
  return [
    counted(documents.length, "document"),
    ...(invalid === 0 ? [] : [`${invalid} invalid`]),
    ...(unread === 0 ? [] : [`${unread} could not be read`]),
    ...(skipped.length === 0 ? [] : [`${skipped.length} not followed`]),
    findings.length === 0
      ? "nothing wrong between them"
      : `${counted(findings.length, "finding")} between them`,
  ].join(", ");
}

/** 2 outweighs 1, as for single files: something was not looked at. A link to another origin is left out on purpose. */
function exitCodeOf({ documents, findings, skipped }: Walk): number {
  if (documents.some(({ error }) => error !== undefined) || skipped.some(({ limit }) => limit)) return 2;
  const hasError = findings.some(({ severity }) => severity === "error");
  return hasError || documents.some(({ valid }) => !valid) ? 1 : 0;
}

/**
 * `validate --follow`: walks from `url` and prints what it finds; progress goes to standard error. Returns the exit
 * status: 0 all well, 1 something is wrong, 2 something could not be read or the start is no URL.
 */
export async function followDocuments(url: string, options: FollowOptions): Promise<number> {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    console.error(
      `${JSON.stringify(url)} cannot be followed: give an http(s) URL, such as https://example.org/`,
    );
    return 2;
  }
  const { json = false, profile = "auto", otherOrigins = false, packages = false } = options;
  const { maxDocuments = 200 } = options;
  const bar = createProgressBar(process.stderr);
  const stop = new AbortController();
  const onSignal = (): void => stop.abort();
  process.once("SIGINT", onSignal);
  try {
    const walk = await walkSource(url, {
      profile,
      otherOrigins,
      packages,
      maxDocuments,
      signal: stop.signal,
      onProgress: ({ done, known, url }) => bar.show(done, known, url),
      onDocument(document, text) {
        bar.clear();
        if (!json) console.log(describeDocument(document, text));
      },
    });
    bar.clear();
    if (json) console.log(JSON.stringify(walk, null, 2));
    else {
      for (const link of walk.skipped) console.log(describeSkipped(link));
      for (const finding of walk.findings) console.log(describeFinding(finding));
      console.log(`\n${summary(walk)}`);
    }
    return exitCodeOf(walk);
  } finally {
    bar.clear();
    process.off("SIGINT", onSignal);
  }
}
