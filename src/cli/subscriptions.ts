import { Command } from "commander";
import { endSubscriptionCommand } from "./end-subscription.ts";
import { listSubscriptionsCommand } from "./list-subscriptions.ts";
import { pauseSubscriptionCommand, resumeSubscriptionCommand } from "./pause-subscription.ts";
import { rewindSubscriptionCommand } from "./rewind-subscription.ts";
import { rotateSecretCommand } from "./rotate-secret.ts";
import { setSubscriptionCommand } from "./set-subscription.ts";
import { showSubscriptionCommand } from "./show-subscription.ts";

/** `subscriptions`: what an operator sees and does of them; without a word more it lists them. */
export function subscriptionsCommand(): Command {
  return new Command("subscriptions")
    .description("lists, shows, pauses, resumes, rewinds and ends the subscriptions of a hub")
    .addCommand(listSubscriptionsCommand(), { isDefault: true })
    .addCommand(showSubscriptionCommand())
    .addCommand(pauseSubscriptionCommand())
    .addCommand(resumeSubscriptionCommand())
    .addCommand(rewindSubscriptionCommand())
    .addCommand(setSubscriptionCommand())
    .addCommand(rotateSecretCommand())
    .addCommand(endSubscriptionCommand())
    .addHelpText(
      "after",
      `
Examples:
  resourcesync-hub subscriptions --behind
  resourcesync-hub subscriptions show vK3x
  resourcesync-hub subscriptions rewind vK3x --to 2026-01-03T00:00:00Z --dry-run`,
    );
}
