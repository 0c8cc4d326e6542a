import { Command } from "commander";
import pc from "picocolors";
import { printable } from "./describe-notification.ts";
import { wholeId } from "./find-subscription.ts";
import { asOperator, exitCodes, type HubOptions, withHubFlags } from "./hub-access.ts";

/** `subscriptions delete`. */
export function endSubscriptionCommand(): Command {
  return withHubFlags(new Command("delete"))
    .description("ends a subscription, with its dead letters, and tells its callback (hub.mode=denied)")
    .argument("<id>", "its ID, or the beginning of it")
    .option("--reason <reason>", "told to the callback")
    .addHelpText(
      "after",
      `
The subscriber may subscribe again.

${exitCodes}

Examples:
  resourcesync-hub subscriptions delete vK3x --reason "This callback has answered 500 since May."`,
    )
    .action(async (text: string, { reason, ...access }: HubOptions & { readonly reason?: string }) => {
      await asOperator(access, async (operator) => {
        const ended = await operator.end(await wholeId(operator, text), { reason });
        console.log(`Ended ${pc.bold(ended.id)} (${printable(ended.callback)}).`);
      });
    });
}
