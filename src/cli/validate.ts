import { Command, InvalidArgumentError, Option } from "commander";
import colors from "picocolors";
import {
  asDocumentTypeName,
  type DocumentTypeName,
  documentTypeNames,
} from "../protocol/document-type-name.ts";
import { ruleIds } from "../protocol/all-rules.ts";
import { explainRule } from "../protocol/explain-rule.ts";
import type { NamedProfile } from "../protocol/explanation.ts";
import type { ValidationReport } from "../protocol/validation-report.ts";
import { sourceRuleFacts, sourceRuleIds } from "../client/check-source.ts";
import { describeRule, describeSourceRule } from "./explained-rule.ts";
import { describeSource, exitCodeOf, validateSource } from "./validate-sources.ts";
import { followDocuments } from "./follow-documents.ts";

interface ValidateOptions {
  readonly as?: DocumentTypeName;
  readonly profile?: NamedProfile;
  readonly json?: boolean;
  readonly explain?: string;
  readonly follow?: boolean;
  readonly otherOrigins?: boolean;
  readonly packages?: boolean;
  readonly maxDocuments?: number;
}

function parseCount(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Write a whole number from 1 on.");
}

async function followAll(urls: readonly string[], options: ValidateOptions): Promise<void> {
  const codes: number[] = [];
  for (const url of urls) codes.push(await followDocuments(url, options));
  process.exitCode = Math.max(...codes);
}

const help = `
The type of a document is recognised, or given with --as:
  ${documentTypeNames
    .filter((name) => !name.endsWith("-index"))
    .join(", ")
    .replace(/(.{1,100}), /g, "$1,\n  ")}
and, for an index, with -index behind it.

Exit status: 0 all valid, 1 at least one invalid, 2 at least one could not be read.
Every rule and the fields of --json stand in docs/validator.md.

Examples:
  resourcesync-hub validate changelist.xml https://example.org/.well-known/resourcesync
  resourcesync-hub validate --as change-notification --profile 1.0.1 *.xml
  curl -s https://example.org/topic | resourcesync-hub validate --json -
  resourcesync-hub validate --explain T12`;

function readType(given: string): DocumentTypeName {
  const name = asDocumentTypeName(given);
  if (name === undefined) throw new InvalidArgumentError(`It is one of ${documentTypeNames.join(", ")}.`);
  return name;
}

function explain(given: string, command: Command, asJson: boolean): void {
  const id = given.toUpperCase();
  const rule = explainRule(id);
  const between = sourceRuleFacts(id);
  if (rule === undefined && between !== undefined) {
    const { sentence, source, severity } = between;
    const facts = { id, sentence, source, severity };
    console.log(asJson ? JSON.stringify(facts, null, 2) : describeSourceRule(facts, colors));
    return;
  }
  if (rule === undefined) {
    const family = /^[A-Z]+/.exec(id)?.[0] ?? "";
    const all = [...ruleIds(), ...sourceRuleIds()];
    const ofFamily = all.filter((known) => known.replace(/\d+$/, "") === family);
    const known = ofFamily.length > 0 ? ofFamily : [...new Set(all.map((each) => each.replace(/\d+$/, "")))];
    command.error(`error: there is no rule ${given}; there are ${known.join(", ")}`);
  }
  console.log(asJson ? JSON.stringify(rule, null, 2) : describeRule(rule, colors));
}

async function validateAll(files: readonly string[], { as, profile, json }: ValidateOptions): Promise<void> {
  const reports: ValidationReport[] = [];
  for (const file of files) {
    const validated = await validateSource(file, { as, profile });
    reports.push(validated.report);
    if (json !== true) console.log(describeSource(validated));
  }
  if (json === true) console.log(JSON.stringify(reports, null, 2));
  process.exitCode = exitCodeOf(reports);
}

/** `validate`: checks documents, and says what is wrong, where, by which rule, and why. */
export function validateCommand(): Command {
  return new Command("validate")
    .description("checks ResourceSync documents, and says what is wrong, where, by which rule")
    .argument("[documents...]", "files, http(s) URLs, or - for standard input")
    .option("--as <type>", "what it is to be (default: recognised; see below)", readType)
    .addOption(
      new Option("--profile <profile>", "by which version it is judged (default: recognised)").choices([
        "1.0.1",
        "1.0",
        "0.8",
        "lenient",
      ]),
    )
    .option("--json", "print an array of { file, valid, type, profile, because, faults }")
    .option(
      "--explain <rule>",
      "say what a rule such as T12 demands and why, with a right and a wrong fragment",
    )
    .addOption(new Option("--follow", "walk from a URL through everything that it links to"))
    .addOption(new Option("--other-origins", "with --follow: to other origins too"))
    .addOption(
      new Option(
        "--packages",
        "with --follow: fetch packages of dumps too, and compare their manifests (S11)",
      ),
    )
    .addOption(
      new Option("--max-documents <number>", "with --follow: fetch at most so many documents")
        .default(200)
        .argParser(parseCount),
    )
    .addHelpText("after", help)
    .action(async (files: readonly string[], options: ValidateOptions, command: Command) => {
      if (options.explain !== undefined) explain(options.explain, command, options.json === true);
      else if (files.length === 0) command.error("error: name a file, a URL, or - for standard input");
      else if (options.follow === true) await followAll(files, options);
      else await validateAll(files, options);
    });
}
