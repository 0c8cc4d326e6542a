import type { DeadLetter, DeadLetters } from "../delivery/dead-letters.ts";
import type { Subscription } from "../subscriptions/subscription.ts";
import type { FindSubscription } from "./find-subscription.ts";
import { OperationRefused } from "./operation-refused.ts";

interface Parts {
  readonly find: FindSubscription;
  readonly deadLetters: Pick<DeadLetters, "page">;
}

/** A dead letter by its id, `SUBSCRIPTION.NUMBER`; throws `OperationRefused` where there is none. */
export async function findLetter(
  { find, deadLetters }: Parts,
  text: string,
): Promise<{ readonly subscription: Subscription; readonly letter: DeadLetter }> {
  const [, id = "", number = ""] = /^([\w-]{22})\.(\d{1,15})$/.exec(text) ?? [];
  if (id === "") throw unknown(text);
  const { subscription } = await find(id);
  const sequence = Number(number);
  const page = { after: sequence - 1, limit: 1 };
  const [letter] = await deadLetters.page(subscription.channel, subscription.id, page);
  if (letter?.sequence !== sequence) throw unknown(text);
  return { subscription, letter };
}

function unknown(text: string): OperationRefused {
  return new OperationRefused(
    "unknown",
    `There is no dead letter ${text}: it may have been sent or dropped. GET /api/v1/deadletters lists those that there are.`,
  );
}
