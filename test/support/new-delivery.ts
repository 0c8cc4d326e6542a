import type { DeadLetter } from "../../src/delivery/dead-letters.ts";
import type { Claim, Failing } from "../../src/delivery/delivery-ledger.ts";
import { parsePosition } from "../../src/protocol/position.ts";
import type { SubscriptionId } from "../../src/subscriptions/subscription.ts";
import type { TestEngine } from "./engines.ts";
import { newNotification, testChannel } from "./new-notification.ts";
import { newSubscription } from "./new-subscription.ts";

const channel = testChannel();
const start = 1_700_000_000_000;

export const idOf = (name: string): SubscriptionId => newSubscription(name).id;

const last = {
  at: start,
  milliseconds: 12,
  status: 503,
  reason: "callback answered 503",
  answer: "down for maintenance",
};

export const failingUntil = (nextAttemptAt: number): Failing => ({
  attempts: 2,
  firstFailedAt: start,
  nextAttemptAt,
  last,
});

export const letterOf = (id: SubscriptionId, sequence: number): DeadLetter => ({
  channel,
  subscription: id,
  sequence,
  position: parsePosition(`epoch000-${sequence}`),
  attempts: 9,
  firstFailedAt: start,
  parkedAt: start + sequence,
  last: { ...last, status: undefined, reason: "no answer" },
  unsendable: undefined,
});

/** A store with so many notifications, and subscriptions that have none of them. */
export async function prepare(
  store: TestEngine,
  notifications: number,
  names: readonly string[],
): Promise<void> {
  for (let n = 0; n < notifications; n += 1) {
    await store.log.append(channel, newNotification(`<n${crypto.randomUUID()}/>`));
  }
  for (const name of names) await store.subscriptions.activate(newSubscription(name), 0);
}

/** Parks the first notifications of a subscription, and gives the claim back. */
export async function parkFirst(store: TestEngine, name: string, letters: number, max = 1000): Promise<void> {
  const [claim] = await store.ledger.claim(channel, [idOf(name)], start);
  if (claim === undefined) throw new Error(`${name} has nothing to be delivered`);
  for (let sequence = 1; sequence <= letters; sequence += 1) {
    await store.ledger.park({ claim, from: sequence - 1, to: sequence }, letterOf(idOf(name), sequence), max);
  }
  await store.ledger.release(channel, [claim]);
}

/** The sequence numbers of a subscription's dead letters. */
export async function lettersOf(store: TestEngine, name: string): Promise<number[]> {
  const letters = await store.deadLetters.page(channel, idOf(name), { after: 0, limit: 1000 });
  return letters.map(({ sequence }) => sequence);
}

export async function claimOne(store: TestEngine, name: string, now: number): Promise<Claim> {
  const [claim, ...others] = await store.ledger.claim(channel, [idOf(name)], now);
  if (claim === undefined || others.length > 0) throw new Error(`not one claim of ${name}`);
  return claim;
}
