import { Command } from "commander";
import pc from "picocolors";
import type { Moved } from "../operations/schemas/placing.ts";
import { printable } from "./describe-notification.ts";
import { wholeId } from "./find-subscription.ts";
import { asOperator, exitCodes, type HubOptions, withHubFlags } from "./hub-access.ts";
import { counted } from "./humanised.ts";

interface Options extends HubOptions {
  readonly to: string;
  readonly dryRun?: true;
}

/** `subscriptions rewind`. */
export function rewindSubscriptionCommand(): Command {
  return withHubFlags(new Command("rewind"))
    .description("lets a subscription go on from another place in the log, back or forward")
    .argument("<id>", "its ID, or the beginning of it")
    .requiredOption(
      "--to <place>",
      "`earliest`, `latest`, a position (what follows it is sent), or a W3C datetime",
    )
    .option("--dry-run", "only count")
    .addHelpText(
      "after",
      `
${exitCodes}

Examples:
  resourcesync-hub subscriptions rewind vK3x --to 2026-01-03T00:00:00Z --dry-run
  resourcesync-hub subscriptions rewind vK3x --to earliest`,
    )
    .action(async (text: string, { to, dryRun, ...access }: Options) => {
      await asOperator(access, async (operator) => {
        const id = await wholeId(operator, text);
        const moved = await operator.rewind(id, { to, dryRun: dryRun === true });
        console.log(describeMove(id, moved));
        if (moved.gap) console.error(pc.yellow(gapWarning));
      });
    });
}

export const gapWarning = "The log no longer holds all that was asked for: what it let go of is not sent.";

function describeMove(id: string, { dryRun, from, to, again, skipped }: Moved): string {
  const what =
    skipped > 0
      ? `${counted(skipped, "notification")} will not be sent`
      : `${counted(again, "notification")} will be sent again`;
  const places = `from ${printable(from)} to ${printable(to)}`;
  return dryRun
    ? `Would move ${pc.bold(id)} ${places}; ${what}.`
    : `Moved ${pc.bold(id)} ${places}; ${what}.`;
}
