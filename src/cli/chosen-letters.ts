import type { Command } from "commander";
import type { HubOperator } from "../client/hub-operator.ts";
import { wholeId } from "./find-subscription.ts";
import { BadQuestion, type HubOptions } from "./hub-access.ts";

export interface LetterOptions extends HubOptions {
  readonly since?: string;
  readonly channel?: string;
  readonly subscription?: string;
}

export function withLetterFlags(command: Command): Command {
  return command
    .option("--since <datetime>", "those given up since then, a W3C datetime")
    .option("--channel <channel>", "only those of a channel, such as maps/change-notification")
    .option("--subscription <id>", "only those of a subscription, by its ID or the beginning of it");
}

/** The whole ID of a dead letter of which the subscription's ID may be shortened; throws `BadQuestion`. */
export async function chosenLetter(operator: HubOperator, text: string): Promise<string> {
  const [, subscription = "", sequence = ""] = /^([\w-]+)\.(\d{1,15})$/.exec(text) ?? [];
  if (sequence === "") {
    throw new BadQuestion(`${JSON.stringify(text)} is no ID of a dead letter: these look like vK3x.17.`);
  }
  return `${await wholeId(operator, subscription)}.${sequence}`;
}

export type ChosenLetters =
  | { readonly kind: "one"; readonly id: string }
  | {
      readonly kind: "since";
      readonly since: string;
      readonly channel?: string;
      readonly subscription?: string;
    };

/** One by its ID, or all since a time; throws `BadQuestion` for both and for neither. */
export async function chosenLetters(
  operator: HubOperator,
  text: string | undefined,
  { since, channel, subscription }: LetterOptions,
): Promise<ChosenLetters> {
  if ((text === undefined) === (since === undefined)) {
    throw new BadQuestion("Give either the ID of a dead letter or --since, and not both.");
  }
  if (text !== undefined) return { kind: "one", id: await chosenLetter(operator, text) };
  return {
    kind: "since",
    since: since ?? "",
    ...(channel === undefined ? {} : { channel }),
    ...(subscription === undefined ? {} : { subscription: await wholeId(operator, subscription) }),
  };
}
