import { Command } from "commander";
import pc from "picocolors";
import type { Replayed } from "../operations/schemas/placing.ts";
import { wholeId } from "./find-subscription.ts";
import { asOperator, exitCodes, type HubOptions, withHubFlags } from "./hub-access.ts";
import { counted, humanCount } from "./humanised.ts";
import { gapWarning } from "./rewind-subscription.ts";

interface Options extends HubOptions {
  readonly since: string;
  readonly missed?: true;
  readonly dryRun?: true;
}

/** `replay`. */
export function replayCommand(): Command {
  return withHubFlags(new Command("replay"))
    .description("sends a subscription again what came since a time")
    .argument("<id>", "ID of the subscription, or the beginning of it")
    .requiredOption("--since <datetime>", "a W3C datetime")
    .option("--missed", "only what was given up since then (dead letters)")
    .option("--dry-run", "only count")
    .addHelpText(
      "after",
      `
${exitCodes}

Examples:
  resourcesync-hub replay vK3x --since 2026-01-03 --dry-run
  resourcesync-hub replay vK3x --since 2026-01-03T09:00:00Z --missed`,
    )
    .action(async (text: string, { since, missed, dryRun, ...access }: Options) => {
      await asOperator(access, async (operator) => {
        const id = await wholeId(operator, text);
        const asked = { since, missed: missed === true, dryRun: dryRun === true };
        const replayed = await operator.replay(id, asked);
        console.log(describeReplay(replayed));
        if (replayed.gap) console.error(pc.yellow(gapWarning));
      });
    });
}

function describeReplay({ dryRun, notifications, gone }: Replayed): string {
  const will = dryRun ? "would be" : notifications === 1 ? "is" : "are";
  return `${counted(notifications, "notification")} ${will} sent again.${describeGone(gone)}`;
}

export function describeGone(gone: number): string {
  return gone === 0 ? "" : ` ${humanCount(gone)} cannot be sent: the log no longer holds what it was.`;
}
