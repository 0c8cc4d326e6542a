import type { DeadLetter, DeadLetters } from "../delivery/dead-letters.ts";
import type { NotificationLog } from "../log/notification-log.ts";
import type { Subscription } from "../subscriptions/subscription.ts";

interface Parts {
  readonly log: Pick<NotificationLog, "bounds">;
  readonly deadLetters: Pick<DeadLetters, "page">;
}

/** Letters that are read at a time; each can hold the beginning of an answer. */
const lettersAtOnce = 100;

/** The dead letters of a subscription that were parked at `since` (milliseconds since 1970) or later, after a sequence number. */
export async function* lettersSince(
  { deadLetters }: Pick<Parts, "deadLetters">,
  { channel, id }: Subscription,
  since: number,
  begin = 0,
): AsyncGenerator<DeadLetter> {
  for (let after = begin; ;) {
    const page = await deadLetters.page(channel, id, { after, limit: lettersAtOnce });
    yield* page.filter(({ parkedAt }) => parkedAt >= since);
    const last = page.at(-1);
    if (last === undefined || page.length < lettersAtOnce) return;
    after = last.sequence;
  }
}

/** How many there are, and of how many the log no longer holds the notification. */
export async function countLetters(
  parts: Parts,
  subscription: Subscription,
  since: number,
): Promise<{ letters: number; gone: number }> {
  const { oldest } = await parts.log.bounds(subscription.channel);
  const counted = { letters: 0, gone: 0 };
  for await (const { sequence } of lettersSince(parts, subscription, since)) {
    counted.letters += 1;
    if (sequence < oldest) counted.gone += 1;
  }
  return counted;
}
