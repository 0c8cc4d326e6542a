import { setTimeout as pause } from "node:timers/promises";
import { askUntilConfirmed } from "./ask-until-confirmed.ts";
import { backoff } from "./backoff.ts";
import type { CallbackReceiver } from "./callback-receiver.ts";
import type { CallbackSubscription, SubscriptionWish } from "./callback-subscription.ts";
import { discoverHub } from "./discover-hub.ts";
import type { HubAnswer } from "./post-hub-form.ts";
import { type Mailbox, mailboxOf, type Waiting } from "./subscription-mailbox.ts";
import { unsubscribe } from "./subscribe.ts";
import type { TokenSource } from "./token-source.ts";

/** How a subscription does; for logs and people. */
export type SubscriptionState =
  | { readonly kind: "asking"; readonly hub: string; readonly topic: string }
  | Waiting
  /** Times in milliseconds since 1970. */
  | { readonly kind: "confirmed"; readonly endsAt: number | undefined; readonly renewsAt: number };

/** Why a subscription is no longer renewed. */
export type SubscriptionEnd =
  /** By this side. */
  | { readonly kind: "stopped" }
  /** The hub refused to renew it until its lease had ended. */
  | { readonly kind: "refused"; readonly reason: string }
  /** The hub said so at the callback. */
  | { readonly kind: "denied"; readonly reason: string };

export interface KeepSubscribedOptions extends SubscriptionWish {
  readonly receiver: CallbackReceiver;
  /** Without it, the topic is asked for its `Link` headers: which hub it has, and which URL is to be subscribed to. */
  readonly hub?: string | URL | undefined;
  /** Seconds; the hub decides where it is not given, and may grant others anyway. */
  readonly leaseSeconds?: number | undefined;
  /** For a topic of a private set. Asked for anew at each renewal. */
  readonly token?: TokenSource | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onState?: ((state: SubscriptionState) => void) | undefined;
}

export interface KeptSubscription extends AsyncDisposable {
  readonly subscription: CallbackSubscription;
  readonly hub: string;
  /** Never rejects. */
  readonly ended: Promise<SubscriptionEnd>;
  /** Renews now: after `rotateSecret`, for instance. */
  renew(): void;
  /**
   * Renews no longer, and asks the hub to end it: `unsubscribed` when the hub has asked at the callback, `accepted` where it
   * has not within 30 seconds. Throws `HubUnreachable`.
   */
  unsubscribe(): Promise<HubAnswer | { readonly kind: "unsubscribed" }>;
  /** Renews no longer. The hub goes on until the lease ends: for a program that comes back with the same `id` and `secret`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** A first subscription that cannot be: the hub refused or denied it, or the topic names no hub. */
export class SubscriptionRefused extends Error {
  override name = "SubscriptionRefused";
  readonly mayRetry = false;
}

/** Of the lease; the rest is for attempts that fail. */
const renewAfter = 0.8;
/** Milliseconds. */
const leastRenewal = 500;
/** For a hub to ask whether the subscription may end. */
const patience = 30_000;
/** Where a hub grants no lease that can be understood. */
const assumedLease = 86_400_000;
const pauses = { first: 1000, longest: 60_000 };

/**
 * Subscribes, and renews before each lease ends, until it is stopped. Resolves when the hub has confirmed for the first time;
 * until then it tries for as long as the hub or the topic cannot be reached, and tells `onState`. Throws
 * `SubscriptionRefused`, and the reason of `signal`.
 */
export async function keepSubscribed(options: KeepSubscribedOptions): Promise<KeptSubscription> {
  const { receiver, secret, id, leaseSeconds, token, onState = () => {} } = options;
  const stopping = new AbortController();
  const signals = options.signal === undefined ? [stopping.signal] : [stopping.signal, options.signal];
  const signal = AbortSignal.any(signals);
  const { hub, topic } = await placeOf(options, signal, onState);
  const subscription = receiver.subscription({ topic, secret, id });
  const mailbox = mailboxOf(subscription);
  const ask = () => {
    onState({ kind: "asking", hub, topic });
    return askUntilConfirmed({ hub, subscription, leaseSeconds, token, signal, onWaiting: onState, mailbox });
  };

  const first = await ask();
  if (first.kind !== "confirmed") {
    mailbox.close();
    subscription.end();
    signal.throwIfAborted();
    const reason = "reason" in first ? `${first.kind}: ${first.reason}` : first.kind;
    throw new SubscriptionRefused(`The subscription to ${topic} at ${hub} was ${reason}`);
  }
  let isDue = false;
  const askAgain = () => {
    isDue = false;
    return ask();
  };
  const isAsked = (): boolean => isDue;
  const ended = renewUntilEnd({ subscription, mailbox, signal, onState, ask: askAgain, isDue: isAsked });
  const stop = async (): Promise<void> => {
    stopping.abort();
    await ended;
  };
  return {
    subscription,
    hub,
    ended,
    renew() {
      isDue = true;
      mailbox.wake();
    },
    async unsubscribe() {
      await stop();
      subscription.end();
      mailbox.empty();
      const answer = await unsubscribe({ hub, topic, callback: subscription.callback, token });
      if (answer.kind === "refused") return answer;
      const news = await mailbox.next(patience, undefined);
      return news?.kind === "unsubscribed" ? { kind: "unsubscribed" } : answer;
    },
    [Symbol.asyncDispose]: stop,
  };
}

interface Renewing {
  readonly subscription: CallbackSubscription;
  readonly mailbox: Mailbox;
  readonly signal: AbortSignal;
  readonly onState: (state: SubscriptionState) => void;
  readonly ask: () => ReturnType<typeof askUntilConfirmed>;
  /** Whether a renewal was asked for before its time. */
  readonly isDue: () => boolean;
}

async function renewUntilEnd(parts: Renewing): Promise<SubscriptionEnd> {
  const { subscription, mailbox, signal, onState, ask, isDue } = parts;
  for (;;) {
    const left = (subscription.lease?.endsAt ?? Date.now() + assumedLease) - Date.now();
    const wait = Math.max(left * renewAfter, leastRenewal);
    onState({ kind: "confirmed", endsAt: subscription.lease?.endsAt, renewsAt: Date.now() + wait });
    const news = await mailbox.next(wait, signal, isDue);
    if (signal.aborted) return { kind: "stopped" };
    if (news?.kind === "denied") return { kind: "denied", reason: news.reason };
    // The hub asked by itself, and was told yes: that is a lease anew.
    if (news?.kind === "confirmed") continue;
    const asked = await ask();
    if (asked.kind !== "confirmed") return asked;
  }
}

async function placeOf(
  { hub, topic, token }: KeepSubscribedOptions,
  signal: AbortSignal,
  onState: (state: SubscriptionState) => void,
): Promise<{ readonly hub: string; readonly topic: string }> {
  if (hub !== undefined) return { hub: String(hub), topic };
  for (let failures = 1; ; failures += 1) {
    const found = await discoverHub(topic, { signal, token });
    signal.throwIfAborted();
    if (found.kind === "found") {
      // Of several hubs, https is to be favoured (WebSub §8.2).
      const safest = found.hubs.find((url) => url.startsWith("https:")) ?? found.hubs[0];
      if (token !== undefined && new URL(safest).origin !== new URL(topic).origin) {
        throw new SubscriptionRefused(
          `The topic ${topic} names the hub ${safest}, at another server: the token was not sent there. Give \`hub\` if it is meant for that hub`,
        );
      }
      return { hub: safest, topic: found.self };
    }
    const { reason, mayRetry } = found;
    if (!mayRetry) throw new SubscriptionRefused(reason);
    const milliseconds = backoff(failures, pauses, Math.random());
    onState({ kind: "waiting", reason, milliseconds });
    await pause(milliseconds, undefined, { signal });
  }
}
