import { backoff } from "./backoff.ts";
import type { CallbackSubscription, Lease, SubscriptionNews } from "./callback-subscription.ts";
import { subscribe } from "./subscribe.ts";
import type { Mailbox, Waiting } from "./subscription-mailbox.ts";
import type { TokenSource } from "./token-source.ts";
import { HubUnreachable } from "./until-decided.ts";

export type Asked =
  | { readonly kind: "confirmed"; readonly lease: Lease | undefined }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "denied"; readonly reason: string }
  | { readonly kind: "stopped" };

interface Asking {
  readonly hub: string;
  readonly subscription: CallbackSubscription;
  readonly leaseSeconds: number | undefined;
  readonly token: TokenSource | undefined;
  readonly signal: AbortSignal;
  readonly onWaiting: (waiting: Waiting) => void;
  /** What the hub tells, as it comes. */
  readonly mailbox: Mailbox;
}

/** Milliseconds in which a hub that took the request is expected to ask at the callback. */
const patience = 60_000;
const pauses = { first: 1000, longest: 300_000 };

/**
 * Asks the hub, again and again, until it has asked back. A refusal is final where the subscription does not hold (any more):
 * while its lease runs, a hub that refuses may be one that is being set up anew.
 */
export async function askUntilConfirmed(asking: Asking): Promise<Asked> {
  const { subscription, signal, mailbox, onWaiting } = asking;
  for (let failures = 1; ; failures += 1) {
    const outcome = await askOnce(asking);
    if (outcome.kind === "stopped" || outcome.kind === "confirmed" || outcome.kind === "denied")
      return outcome;
    const holds = (subscription.lease?.endsAt ?? 0) > Date.now();
    if (outcome.kind === "refused" && !holds) return outcome;
    const milliseconds = backoff(failures, pauses, Math.random());
    onWaiting({ kind: "waiting", reason: outcome.reason, milliseconds });
    // A hub that was slow to ask at the callback may do it now.
    const news = await mailbox.next(milliseconds, signal);
    if (news !== undefined && news.kind !== "unsubscribed") return askedOf(news);
    if (signal.aborted) return { kind: "stopped" };
  }
}

async function askOnce({
  hub,
  subscription,
  leaseSeconds,
  token,
  signal,
  mailbox,
}: Asking): Promise<Asked | { readonly kind: "again"; readonly reason: string }> {
  const { topic, callback, secrets } = subscription;
  mailbox.empty();
  try {
    const answer = await subscribe({
      hub,
      topic,
      callback,
      secret: secrets[0],
      leaseSeconds,
      token,
      signal,
      attempts: 1,
    });
    if (answer.kind === "refused") {
      const reason = `The hub answered ${answer.status}: ${answer.reason}`;
      // A server's own fault may be mended tomorrow, and this has time.
      return { kind: answer.status >= 500 ? "again" : "refused", reason };
    }
    const news = await mailbox.next(patience, signal);
    if (signal.aborted) return { kind: "stopped" };
    if (news !== undefined && news.kind !== "unsubscribed") return askedOf(news);
    return { kind: "again", reason: "The hub took the request, and did not ask at the callback." };
  } catch (error) {
    if (signal.aborted) return { kind: "stopped" };
    if (!(error instanceof HubUnreachable)) throw error;
    return { kind: "again", reason: error.message };
  }
}

const askedOf = (news: Exclude<SubscriptionNews, { kind: "unsubscribed" }>): Asked =>
  news.kind === "confirmed"
    ? { kind: "confirmed", lease: news.lease }
    : { kind: "denied", reason: news.reason };
