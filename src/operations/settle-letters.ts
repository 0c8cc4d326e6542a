import type { Topics } from "../channels/topic.ts";
import type { DeadLetter, DeadLetters } from "../delivery/dead-letters.ts";
import type { DeliveryControl } from "../delivery/delivery-control.ts";
import type { DeliveryLedger } from "../delivery/delivery-ledger.ts";
import type { WakeUps } from "../delivery/wake-ups.ts";
import type { NotificationLog } from "../log/notification-log.ts";
import type { SubscriptionStore } from "../subscriptions/subscription-store.ts";
import type { Subscription } from "../subscriptions/subscription.ts";
import { countLetters, lettersSince } from "./count-letters.ts";
import type { FindSubscription } from "./find-subscription.ts";
import { findLetter } from "./find-letter.ts";
import { OperationRefused } from "./operation-refused.ts";
import type { ChosenLettersQuery, Dropped, Resent } from "./schemas/dead-letters.ts";
import { subscriptionsWithLetters } from "./subscriptions-with-letters.ts";

export interface LetterParts {
  readonly topics: Pick<Topics, "all">;
  readonly log: Pick<NotificationLog, "bounds" | "read">;
  readonly subscriptions: Pick<SubscriptionStore, "find">;
  readonly ledger: Pick<DeliveryLedger, "ids">;
  readonly deadLetters: DeadLetters;
  readonly control: Pick<DeliveryControl, "hasten">;
  readonly wakeUps: Pick<WakeUps, "wake">;
  readonly find: FindSubscription;
}

/** Told of each subscription whose letters an operator touched. */
export type OnSettled = (subscription: Subscription, action: string) => void;

/** Sends dead letters again, or forgets them: one, or all that were chosen. */
export function settleLetters(parts: LetterParts, onSettled: OnSettled) {
  const { deadLetters } = parts;

  async function resendAll(subscription: Subscription, since: number): Promise<Omit<Resent, "dryRun">> {
    const { channel, id } = subscription;
    const { marked, gone } = await deadLetters.resend(channel, id, { since });
    if (marked > 0) onSettled(subscription, "dead letters sent again");
    await sendMarked(parts, subscription);
    return { letters: marked - gone, gone };
  }

  return {
    async resend(id: string): Promise<Resent> {
      const { subscription, letter } = await findLetter(parts, id);
      const { channel, sequence } = letter;
      const { gone } = await deadLetters.resend(channel, subscription.id, [sequence]);
      if (gone > 0) {
        throw new OperationRefused("contradicts", `The log no longer holds what the dead letter ${id} was.`);
      }
      onSettled(subscription, "dead letter sent again");
      await sendMarked(parts, subscription);
      return { dryRun: false, letters: 1, gone: 0 };
    },
    async resendChosen({ since, dryRun, ...chosen }: ChosenLettersQuery): Promise<Resent> {
      const total = { dryRun, letters: 0, gone: 0 };
      for await (const subscription of subscriptionsWithLetters(parts, chosen)) {
        const { letters, gone } = dryRun
          ? await sendable(subscription, since)
          : await resendAll(subscription, since);
        total.letters += letters;
        total.gone += gone;
      }
      return total;
    },
    async drop(id: string): Promise<Dropped> {
      const { subscription, letter } = await findLetter(parts, id);
      const dropped = await deadLetters.drop(letter.channel, subscription.id, [letter.sequence]);
      onSettled(subscription, "dead letter dropped");
      return { dryRun: false, letters: dropped };
    },
    async dropChosen({ since, dryRun, ...chosen }: ChosenLettersQuery): Promise<Dropped> {
      const total = { dryRun, letters: 0 };
      for await (const subscription of subscriptionsWithLetters(parts, chosen)) {
        const { channel, id } = subscription;
        const letters = dryRun
          ? await numberOf(lettersSince(parts, subscription, since))
          : await deadLetters.drop(channel, id, { since });
        if (letters > 0 && !dryRun) onSettled(subscription, "dead letters dropped");
        total.letters += letters;
      }
      return total;
    },
  };

  async function sendable(subscription: Subscription, since: number) {
    const { letters, gone } = await countLetters(parts, subscription, since);
    return { letters: letters - gone, gone };
  }
}

async function numberOf(letters: AsyncGenerator<DeadLetter>): Promise<number> {
  let number = 0;
  for await (const _letter of letters) number += 1;
  return number;
}

/** Has marked letters sent now: whoever marks them does not mean when the next attempt of another notification is due. */
export async function sendMarked(
  { control, wakeUps }: Pick<LetterParts, "control" | "wakeUps">,
  { channel, id }: Subscription,
): Promise<void> {
  await control.hasten(channel, id);
  await wakeUps.wake({ channel, subscription: id });
}
