import { setTimeout as pause } from "node:timers/promises";
import { Command } from "commander";
import type { HubOperator } from "../client/hub-operator.ts";
import { describeAttempts, describeLag, describeSubscription } from "./describe-subscription.ts";
import { wholeId } from "./find-subscription.ts";
import { asOperator, exitCodes, type HubOptions, withHubFlags } from "./hub-access.ts";

interface Options extends HubOptions {
  readonly watch?: true;
  readonly json?: true;
}

const shownAttempts = 10;
/** Milliseconds between two looks. */
const watchInterval = 1000;

/** `subscriptions show`. */
export function showSubscriptionCommand(): Command {
  return withHubFlags(new Command("show"))
    .description("shows everything about a subscription, with the latest attempts at its callback")
    .argument("<id>", "its ID, or the beginning of it")
    .option("--watch", "print how far it is behind, again and again until nothing waits")
    .option("--json", "print it as JSON")
    .addHelpText(
      "after",
      `
${exitCodes} --watch ends with 1 where the subscription is paused: it will not catch up.

Examples:
  resourcesync-hub subscriptions show vK3x
  resourcesync-hub subscriptions show vK3x --watch`,
    )
    .action(async (text: string, { watch, json, ...access }: Options) => {
      await asOperator(access, async (operator) => {
        const id = await wholeId(operator, text);
        if (watch === true) await watchLag(operator, id);
        else await show(operator, id, json === true);
      });
    });
}

async function show(operator: HubOperator, id: string, asJson: boolean): Promise<void> {
  const [subscription, attempts] = await Promise.all([
    operator.subscription(id),
    operator.attempts(id, { limit: shownAttempts }),
  ]);
  if (asJson) console.log(JSON.stringify({ ...subscription, ...attempts }, undefined, 2));
  else console.log(`${describeSubscription(subscription)}\n\n${describeAttempts(attempts)}`);
}

async function watchLag(operator: HubOperator, id: string): Promise<void> {
  let told = "";
  for (;;) {
    const subscription = await operator.subscription(id);
    const says = `${subscription.state}, waiting: ${describeLag(subscription)}`;
    if (says !== told) console.log(says);
    told = says;
    if (subscription.lag.notifications === 0) return;
    if (subscription.state === "paused") {
      console.error("It is paused, and will not catch up before `subscriptions resume`.");
      process.exitCode = 1;
      return;
    }
    await pause(watchInterval);
  }
}
