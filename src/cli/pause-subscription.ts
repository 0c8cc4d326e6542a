import { Command } from "commander";
import pc from "picocolors";
import { describeLag } from "./describe-subscription.ts";
import { wholeId } from "./find-subscription.ts";
import { asOperator, exitCodes, type HubOptions, withHubFlags } from "./hub-access.ts";

/** `subscriptions pause`. */
export function pauseSubscriptionCommand(): Command {
  return withHubFlags(new Command("pause"))
    .description("stops deliveries to a callback until they are resumed; renewals do not end it")
    .argument("<id>", "its ID, or the beginning of it")
    .option("--note <note>", "why, for other operators")
    .addHelpText(
      "after",
      `
What is published meanwhile waits in the log, as long as the log keeps it.

${exitCodes}

Examples:
  resourcesync-hub subscriptions pause vK3x --note "disk full, ticket 4711"`,
    )
    .action(async (text: string, { note, ...access }: HubOptions & { readonly note?: string }) => {
      await asOperator(access, async (operator) => {
        const { id } = await operator.pause(await wholeId(operator, text), { note });
        console.log(`Paused ${pc.bold(id)}.`);
      });
    });
}

/** `subscriptions resume`. */
export function resumeSubscriptionCommand(): Command {
  return withHubFlags(new Command("resume"))
    .description("ends a pause, whoever paused it, or the wait for the next attempt, and delivers what waits")
    .argument("<id>", "its ID, or the beginning of it")
    .addHelpText(
      "after",
      `
${exitCodes}

Examples:
  resourcesync-hub subscriptions resume vK3x`,
    )
    .action(async (text: string, access: HubOptions) => {
      await asOperator(access, async (operator) => {
        const subscription = await operator.resume(await wholeId(operator, text));
        console.log(`Resumed ${pc.bold(subscription.id)}. Waiting: ${describeLag(subscription)}.`);
      });
    });
}
