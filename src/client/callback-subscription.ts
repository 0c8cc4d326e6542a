import { randomBytes } from "node:crypto";

/** What a hub has told at a callback. */
export type SubscriptionNews =
  /** The hub asked whether the subscription is wanted, and was told yes. */
  | { readonly kind: "confirmed"; readonly topic: string; readonly lease: Lease | undefined }
  /** The hub asked whether the subscription may end, and was told yes. */
  | { readonly kind: "unsubscribed"; readonly topic: string }
  /** The hub will not deliver, or no longer. The reason is the hub's own text, of at most 500 characters. */
  | { readonly kind: "denied"; readonly topic: string; readonly reason: string };

export interface Lease {
  readonly seconds: number;
  /** Milliseconds since 1970. Nothing is delivered after it unless the subscription is renewed. */
  readonly endsAt: number;
}

export interface SubscriptionWish {
  /** The canonical URL of the topic: what its `Link` rel=self says. */
  readonly topic: string;
  /** With one, deliveries have to be signed. Where several are given, each may have signed; subscribe with the first. */
  readonly secret?: string | readonly string[] | undefined;
  /**
   * The unguessable end of the callback's path: 22 to 86 characters of base64url. Made up when it is not given; a program
   * that is to find its subscriptions again after a restart keeps it, as carefully as the secret.
   */
  readonly id?: string | undefined;
}

/** One subscription, as its callback sees it: one path of its own, known to nobody but the hub. */
export interface CallbackSubscription {
  readonly id: string;
  readonly topic: string;
  /** The URL to subscribe with. */
  readonly callback: string;
  /** The first one is to be given to the hub. */
  readonly secrets: readonly string[];
  /** What the hub granted at the last confirmation. */
  readonly lease: Lease | undefined;
  readonly isEnded: boolean;
  /** From now on this secret is to be given to the hub; the one before it stays good for what was signed already. */
  rotateSecret(secret: string): void;
  /** Tells what the hub tells from now on, until the function that it answers is called. */
  watch(listener: (news: SubscriptionNews) => void): () => void;
  /** It is no longer wanted: unsubscribing is confirmed, deliveries are answered with 410. */
  end(): void;
}

export interface ExpectedSubscription extends CallbackSubscription {
  tell(news: SubscriptionNews): void;
}

export function expectSubscription(
  { topic, secret = [], id = randomBytes(32).toString("base64url") }: SubscriptionWish,
  callbackOf: (id: string) => string,
): ExpectedSubscription {
  if (!/^[A-Za-z0-9_-]{22,86}$/.test(id)) {
    throw new RangeError(
      `The id of a subscription is ${JSON.stringify(id.slice(0, 8))}…; it takes 22 to 86 characters of base64url, drawn at random, since it is what keeps strangers away.`,
    );
  }
  let secrets = (typeof secret === "string" ? [secret] : secret).filter((given) => given !== "");
  let lease: Lease | undefined;
  let isEnded = false;
  const listeners = new Set<(news: SubscriptionNews) => void>();
  return {
    id,
    topic,
    callback: callbackOf(id),
    get secrets() {
      return secrets;
    },
    get lease() {
      return lease;
    },
    get isEnded() {
      return isEnded;
    },
    rotateSecret(next) {
      secrets = [next, ...secrets.slice(0, 1)];
    },
    watch(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    end() {
      isEnded = true;
    },
    tell(news) {
      if (news.kind === "confirmed") lease = news.lease;
      for (const listener of listeners) listener(news);
    },
  };
}
