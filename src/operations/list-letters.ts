import type { DeadLetter } from "../delivery/dead-letters.ts";
import type { Subscription } from "../subscriptions/subscription.ts";
import { lettersSince } from "./count-letters.ts";
import { findLetter } from "./find-letter.ts";
import { type Page, readPageEnd, writePageEnd } from "./page-cursor.ts";
import type { DeadLetterInFull, DeadLettersQuery, ListedDeadLetter } from "./schemas/dead-letters.ts";
import type { LetterParts } from "./settle-letters.ts";
import { attemptOf, textOf } from "./subscription-row.ts";
import { subscriptionsWithLetters } from "./subscriptions-with-letters.ts";

/** Where a page begins: after this letter of this subscription. */
interface Begin {
  readonly channel: string;
  readonly id: string;
  readonly sequence: number;
}

/** Dead letters in the order of channel, subscription and notification. */
export function listLetters(parts: LetterParts) {
  const { log } = parts;
  return {
    /** Throws `OperationRefused`. */
    async deadLetters({ limit, after, since, ...chosen }: DeadLettersQuery): Promise<Page<ListedDeadLetter>> {
      const begin = beginAfter(after);
      const items: ListedDeadLetter[] = [];
      let end: string | undefined;
      for await (const subscription of subscriptionsWithLetters(parts, chosen, begin)) {
        const { channel, id } = subscription;
        const isFirst = channel === begin.channel && id === begin.id;
        const letters = lettersSince(parts, subscription, since ?? 0, isFirst ? begin.sequence : 0);
        for await (const letter of letters) {
          if (items.length === limit) return { items, after: end };
          items.push(describe(subscription, letter));
          end = writePageEnd({ channel, id: `${id}.${letter.sequence}` });
        }
      }
      return { items, after: undefined };
    },
    async deadLetter(id: string): Promise<DeadLetterInFull> {
      const { subscription, letter } = await findLetter(parts, id);
      const [held] = await log.read(letter.channel, letter.sequence - 1, 1);
      return {
        ...describe(subscription, letter),
        payload: held?.payload.toString(),
        contentType: held?.contentType,
        receivedAt: held === undefined ? undefined : textOf(held.receivedAt),
      };
    },
  };
}

function beginAfter(after: string | undefined): Begin {
  if (after === undefined) return { channel: "", id: "", sequence: 0 };
  const { channel, id } = readPageEnd(after);
  const [subscription = "", sequence] = id.split(".");
  return { channel, id: subscription, sequence: Number(sequence) || 0 };
}

function describe({ callback }: Subscription, letter: DeadLetter): ListedDeadLetter {
  const { channel, subscription, sequence, position, attempts, firstFailedAt, parkedAt, last } = letter;
  return {
    id: `${subscription}.${sequence}`,
    channel,
    subscription,
    callback,
    position,
    attempts,
    firstFailedAt: textOf(firstFailedAt),
    parkedAt: textOf(parkedAt),
    last: attemptOf(last),
    unsendable: letter.unsendable,
  };
}
