import { Command } from "commander";
import type { HubOperator } from "../client/hub-operator.ts";
import { chosenLetters, type LetterOptions, withLetterFlags } from "./chosen-letters.ts";
import { asOperator, exitCodes, withHubFlags } from "./hub-access.ts";
import { counted } from "./humanised.ts";
import { describeGone } from "./replay.ts";

type Options = LetterOptions & { readonly dryRun?: true };

/** `deadletters resend`. */
export function resendDeadLettersCommand(): Command {
  return settling("resend")
    .description("sends one dead letter again, or all since a time")
    .action(async (text: string | undefined, options: Options) => {
      await asOperator(options, async (operator) => console.log(await resend(operator, text, options)));
    });
}

/** `deadletters drop`. */
export function dropDeadLettersCommand(): Command {
  return settling("drop")
    .description("forgets one dead letter, or all since a time")
    .action(async (text: string | undefined, options: Options) => {
      await asOperator(options, async (operator) => console.log(await drop(operator, text, options)));
    });
}

function settling(name: "resend" | "drop"): Command {
  return withLetterFlags(withHubFlags(new Command(name)))
    .argument("[id]", "ID of the dead letter, such as vK3x.17")
    .option("--dry-run", "only count (with --since)")
    .addHelpText(
      "after",
      `
${exitCodes}

Examples:
  resourcesync-hub deadletters ${name} vK3x.17
  resourcesync-hub deadletters ${name} --since 2026-01-03T00:00:00Z --dry-run`,
    );
}

async function resend(operator: HubOperator, text: string | undefined, options: Options): Promise<string> {
  const chosen = await chosenLetters(operator, text, options);
  const dryRun = options.dryRun === true;
  const { letters, gone } =
    chosen.kind === "one"
      ? await operator.resendDeadLetter(chosen.id)
      : await operator.resendDeadLetters({ ...withoutKind(chosen), dryRun });
  const will = dryRun ? "would be" : letters === 1 ? "is" : "are";
  return `${counted(letters, "dead letter")} ${will} sent again.${describeGone(gone)}`;
}

async function drop(operator: HubOperator, text: string | undefined, options: Options): Promise<string> {
  const chosen = await chosenLetters(operator, text, options);
  const isDry = options.dryRun === true;
  const { letters } =
    chosen.kind === "one"
      ? await operator.dropDeadLetter(chosen.id)
      : await operator.dropDeadLetters({ ...withoutKind(chosen), dryRun: isDry ? "true" : "false" });
  return `${isDry ? "Would drop" : "Dropped"} ${counted(letters, "dead letter")}.`;
}

const withoutKind = <Chosen extends { readonly kind: string }>({ kind: _kind, ...rest }: Chosen) => rest;
