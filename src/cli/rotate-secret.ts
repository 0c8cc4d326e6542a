import { Command, InvalidArgumentError } from "commander";
import pc from "picocolors";
import { printable } from "./describe-notification.ts";
import { wholeId } from "./find-subscription.ts";
import { asOperator, exitCodes, type HubOptions, withHubFlags } from "./hub-access.ts";
import { humanTime } from "./humanised.ts";

interface Options extends HubOptions {
  readonly secret?: string;
  readonly grace?: number;
}

/** `subscriptions rotate`. */
export function rotateSecretCommand(): Command {
  return withHubFlags(new Command("rotate"))
    .description("signs with a new secret; the old one signs too for a while")
    .argument("<id>", "its ID, or the beginning of it")
    .option("--secret <secret>", "the new secret, at most 199 bytes; otherwise the hub makes one")
    .option("--grace <seconds>", "how long the old secret signs too (a day)", wholeSeconds)
    .addHelpText(
      "after",
      `
Give the secret to the subscriber: it is shown this once.

${exitCodes}

Examples:
  resourcesync-hub subscriptions rotate vK3x
  resourcesync-hub subscriptions rotate vK3x --grace 3600`,
    )
    .action(async (text: string, { secret, grace, ...access }: Options) => {
      await asOperator(access, async (operator) => {
        const id = await wholeId(operator, text);
        const rotated = await operator.rotateSecret(id, { secret, graceSeconds: grace });
        console.log(`New secret of ${pc.bold(id)}, shown this once:\n\n  ${printable(rotated.secret)}\n`);
        console.log(`The one before signs too until ${humanTime(rotated.oldOneUntil)} (UTC).`);
      });
    });
}

function wholeSeconds(text: string): number {
  if (/^\d{1,7}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Expected a whole number of seconds.");
}
