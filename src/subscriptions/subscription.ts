import type { ChannelId } from "../channels/channel.ts";
import type { Branded } from "../protocol/branded.ts";
import type { Authority } from "../security/access.ts";

/** Names the pair of topic and callback (WebSub §5.1): the same pair always has the same id. */
export type SubscriptionId = Branded<string, "SubscriptionId">;

/** What was asked for, until the callback has confirmed it. It changes nothing before that (WebSub §5.3). */
export interface IntentRequest {
  readonly id: string;
  readonly mode: "subscribe" | "unsubscribe";
  readonly subscription: SubscriptionId;
  readonly channel: ChannelId;
  /** As the subscriber wrote it: that is the string it will look for. */
  readonly topic: string;
  /** As the subscriber wrote it, byte for byte. */
  readonly callback: string;
  readonly secret: string | undefined;
  readonly leaseSeconds: number;
  /** By whose right a private set is asked for; `undefined` where the set was public. */
  readonly authority: Authority | undefined;
  /** Milliseconds since 1970. */
  readonly askedAt: number;
}

/** A confirmed subscription. Its place in the log and its failures are kept apart (delivery). */
export interface Subscription {
  readonly id: SubscriptionId;
  readonly channel: ChannelId;
  readonly topic: string;
  readonly callback: string;
  /** Without a secret, deliveries are not signed. */
  readonly secret: string | undefined;
  /** The one before, which signs too until then (milliseconds since 1970). */
  readonly previousSecret: { readonly secret: string; readonly until: number } | undefined;
  /** What becomes of a notification whose last attempt failed, where an operator decided that for this subscription. */
  readonly exhausted: "park" | "pause" | undefined;
  /** By whose right it receives a private set; `undefined` where the set was public when it was confirmed. */
  readonly authority: Authority | undefined;
  readonly leaseSeconds: number;
  /** Milliseconds since 1970; counted from the verification request (WebSub §5.3.1). */
  readonly expiresAt: number;
  /** When the pair was first confirmed; renewals leave it. */
  readonly createdAt: number;
}

/** Whether a callback may be sent what its channel brings: a private set needs a right that still stands. */
export type MayReceive = (subscription: Pick<Subscription, "channel" | "authority">) => boolean;

export function leaseHasEnded(subscription: Subscription, now: number): boolean {
  return subscription.expiresAt <= now;
}
