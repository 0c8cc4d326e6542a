import type { IntentRequest, Subscription } from "../../src/subscriptions/subscription.ts";
import { subscriptionIdOf } from "../../src/subscriptions/subscription-id.ts";
import { testChannel } from "./new-notification.ts";

const topic = "https://hub.example.org/sets/maps/change-notification";

/** A subscription of `name`, whose callback has that name, too. */
export function newSubscription(name: string, parts: Partial<Subscription> = {}): Subscription {
  const channel = parts.channel ?? testChannel();
  const callback = `https://mirror.example.org/${name}?ä="b"`;
  return {
    id: subscriptionIdOf(channel, topic, callback),
    channel,
    topic,
    callback,
    secret: undefined,
    previousSecret: undefined,
    exhausted: undefined,
    authority: undefined,
    leaseSeconds: 864_000,
    expiresAt: 1_700_864_000_000,
    createdAt: 1_700_000_000_000,
    ...parts,
  };
}

export function newIntent(name: string, parts: Partial<IntentRequest> = {}): IntentRequest {
  const { id, channel, callback, secret, authority, leaseSeconds } = newSubscription(name);
  return {
    id: name,
    mode: "subscribe",
    subscription: id,
    channel,
    topic,
    callback,
    secret,
    authority,
    leaseSeconds,
    askedAt: 1_700_000_000_000,
    ...parts,
  };
}
