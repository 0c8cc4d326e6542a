import { Command } from "commander";
import pc from "picocolors";
import type { DeadLetterInFull, ListedDeadLetter } from "../operations/schemas/dead-letters.ts";
import { chosenLetter, withLetterFlags, type LetterOptions } from "./chosen-letters.ts";
import { printable } from "./describe-notification.ts";
import { asOperator, exitCodes, type HubOptions, withHubFlags } from "./hub-access.ts";
import { counted, humanCount, humanSpan, humanTime, secondsSince } from "./humanised.ts";
import { shownIdLength } from "./list-subscriptions.ts";
import { dropDeadLettersCommand, resendDeadLettersCommand } from "./settle-deadletters.ts";
import { type Column, table } from "./table.ts";

/** `deadletters`: what was given up; without a word more it lists them. */
export function deadLettersCommand(): Command {
  return new Command("deadletters")
    .description("lists, shows, sends again and drops what was given up for a callback")
    .addCommand(listCommand(), { isDefault: true })
    .addCommand(showCommand())
    .addCommand(resendDeadLettersCommand())
    .addCommand(dropDeadLettersCommand())
    .addHelpText(
      "after",
      `
Examples:
  resourcesync-hub deadletters
  resourcesync-hub deadletters show vK3x.17
  resourcesync-hub deadletters resend --since 2026-01-03 --dry-run`,
    );
}

const columns: readonly Column<ListedDeadLetter>[] = [
  { title: "GIVEN UP", align: "right", of: ({ parkedAt }) => `${humanSpan(secondsSince(parkedAt))} ago` },
  { title: "TRIES", align: "right", of: ({ attempts }) => humanCount(attempts) },
  { title: "STATUS", align: "right", of: ({ last }) => String(last.status ?? "") },
  { title: "ID", of: ({ id, subscription }) => id.slice(0, shownIdLength) + id.slice(subscription.length) },
  { title: "CALLBACK", cut: "middle", yieldsTo: 24, of: ({ callback }) => callback },
  { title: "REASON", cut: "end", of: ({ last, unsendable }) => unsendable ?? last.reason },
];

/** As many as one page of the API has at most. */
const rowsOfTable = 500;

function listCommand(): Command {
  return withLetterFlags(withHubFlags(new Command("list")))
    .description("lists dead letters, oldest first for each subscription")
    .option("--json", "print each as a line of JSON")
    .addHelpText("after", `\n${exitCodes}\n\nExamples:\n  resourcesync-hub deadletters --since 2026-01-03`)
    .action(async ({ json, since, channel, subscription, ...access }: LetterOptions & { json?: true }) => {
      await asOperator(access, async (operator) => {
        const rows: ListedDeadLetter[] = [];
        let total = 0;
        for await (const letter of operator.deadLetters({
          since,
          channel,
          subscription,
          limit: rowsOfTable,
        })) {
          total += 1;
          if (json === true) console.log(JSON.stringify(letter));
          else rows.push(letter);
          if (rows.length === rowsOfTable) console.log(table(columns, rows.splice(0)));
        }
        if (json === true) return;
        if (rows.length > 0) console.log(table(columns, rows));
        if (total === 0) console.log("There are no dead letters.");
        else console.error(pc.dim(counted(total, "dead letter")));
      });
    });
}

function showCommand(): Command {
  return withHubFlags(new Command("show"))
    .description("shows what was given up, why, and what it said")
    .argument("<id>", "ID of the dead letter, such as vK3x.17")
    .addHelpText("after", `\n${exitCodes}\n\nExamples:\n  resourcesync-hub deadletters show vK3x.17`)
    .action(async (text: string, access: HubOptions) => {
      await asOperator(access, async (operator) => {
        console.log(describe(await operator.deadLetter(await chosenLetter(operator, text))));
      });
    });
}

function describe(letter: DeadLetterInFull): string {
  const { id, callback, channel, position, attempts, firstFailedAt, parkedAt, last, payload } = letter;
  const answer = last.answer?.trim() ?? "";
  const facts: (readonly [string, string])[] = [
    ["callback", callback],
    ["channel", channel],
    ...(position === undefined ? [] : [["position", position] as const]),
    ["given up", `${humanTime(parkedAt)} after ${counted(attempts, "attempt")}`],
    ["failed since", humanTime(firstFailedAt)],
    ["failed", last.reason],
    ...(answer === "" ? [] : [["answered", answer] as const]),
    ...(letter.unsendable === undefined ? [] : [["not sent again", letter.unsendable] as const]),
  ];
  const width = Math.max(...facts.map(([name]) => name.length));
  const lines = facts.map(([name, value]) => `  ${pc.dim(name.padEnd(width))}  ${printable(value)}`);
  const said =
    payload === undefined
      ? "The log no longer holds what it was."
      : payload.split("\n").map(printable).join("\n").trimEnd();
  return [pc.bold(id), ...lines, "", said].join("\n");
}
