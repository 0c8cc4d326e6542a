import { Command, Option } from "commander";
import pc from "picocolors";
import { wholeId } from "./find-subscription.ts";
import { asOperator, exitCodes, type HubOptions, withHubFlags } from "./hub-access.ts";

interface Options extends HubOptions {
  readonly exhausted: "park" | "pause" | "default";
}

/** `subscriptions set`. */
export function setSubscriptionCommand(): Command {
  return withHubFlags(new Command("set"))
    .description("decides for one subscription what becomes of a notification after its last attempt")
    .argument("<id>", "its ID, or the beginning of it")
    .addOption(
      new Option("--exhausted <policy>", "park it and go on, pause, or do as the configuration says")
        .choices(["park", "pause", "default"])
        .makeOptionMandatory(),
    )
    .addHelpText(
      "after",
      `
It holds over renewals.

${exitCodes}

Examples:
  resourcesync-hub subscriptions set vK3x --exhausted pause`,
    )
    .action(async (text: string, { exhausted, ...access }: Options) => {
      await asOperator(access, async (operator) => {
        const changed = await operator.change(await wholeId(operator, text), { exhausted });
        const says =
          changed.exhausted === "park" ? "parks what it gives up, and goes on" : "pauses when it gives up";
        console.log(`${pc.bold(changed.id)} ${says}.`);
      });
    });
}
