import type { ChannelId } from "../channels/channel.ts";
import type { SubscriptionId } from "../subscriptions/subscription.ts";
import type { ChosenLetters, DeadLetters } from "./dead-letters.ts";

/** Letters that are read, or changed in one step, at a time. */
const stepLength = 500;

/** The sequence numbers of chosen letters, in steps that hold up nobody else for long. */
export async function* stepsOf(
  letters: Pick<DeadLetters, "page">,
  channel: ChannelId,
  id: SubscriptionId,
  chosen: ChosenLetters,
): AsyncGenerator<readonly number[]> {
  if (!("since" in chosen)) {
    for (let at = 0; at < chosen.length; at += stepLength) yield chosen.slice(at, at + stepLength);
    return;
  }
  for (let after = 0; ;) {
    const page = await letters.page(channel, id, { after, limit: stepLength });
    const last = page.at(-1);
    if (last === undefined) return;
    const parked = page.filter(({ parkedAt }) => parkedAt >= chosen.since).map(({ sequence }) => sequence);
    if (parked.length > 0) yield parked;
    after = last.sequence;
  }
}
