import type { ChannelId } from "../channels/channel.ts";
import type { Channels } from "../channels/registry.ts";
import type { NotificationLog } from "../log/notification-log.ts";
import type { Events } from "../observability/events.ts";
import { callbackMatcher } from "../protocol/callback-pattern.ts";
import {
  createOutboundHttp,
  type OutboundHttp,
  type OutboundHttpOptions,
} from "../security/outbound-http.ts";
import { acceptSubscriptionRequests, type AcceptSubscriptionRequest } from "./accept-request.ts";
import { callbackHostOf } from "./callback-host.ts";
import { denySubscriptions } from "./deny.ts";
import { createHostGate } from "./host-gate.ts";
import { createQuestionGuard, type QuestionGuard } from "./question-guard.ts";
import { type Revoke, revokeSubscriptions } from "./revoke.ts";
import type { SubscriptionStore } from "./subscription-store.ts";
import type { IntentRequest, MayReceive, SubscriptionId } from "./subscription.ts";
import { createUnconfirmedBudget } from "./unconfirmed-budget.ts";
import { createVerificationQueue } from "./verification-queue.ts";
import { createIntentVerifier, type ValidateSubscription } from "./verify-intent.ts";
import { createWithdrawals, type Withdrawals } from "./withdraw.ts";

interface Parts {
  /** Those of sets. */
  readonly channels: Pick<Channels, "all">;
  /** Topics of sets, and those elsewhere that are admitted. */
  readonly admission: { byTopic(topic: string): { readonly id: ChannelId } | undefined };
  readonly mayReceive: MayReceive;
  readonly subscriptions: SubscriptionStore;
  readonly log: Pick<NotificationLog, "bounds">;
  /** How callbacks may be called. */
  readonly calling: OutboundHttpOptions;
  /** Calls those that have confirmed. */
  readonly outbound: Pick<OutboundHttp, "request">;
  /** Of a test, whose callbacks are all at one address. */
  readonly questions?: QuestionGuard;
  readonly events: Events;
  /** Told of what was renewed. Never rejects. */
  readonly wakeUps: {
    wake(renewed: { readonly channel: ChannelId; readonly subscription: SubscriptionId }): Promise<void>;
  };
  readonly validate?: ValidateSubscription;
  /** Seconds. */
  readonly leases: { readonly default: number; readonly min: number; readonly max: number };
  readonly limits: { readonly verificationsPerHost: number };
  /** Patterns; without them, every callback may be subscribed that the guarded client may call. */
  readonly callbacks: { readonly allow?: readonly string[] };
  /** Milliseconds for a callback to answer. */
  readonly timeout: number;
  /** Milliseconds for which a secret that a renewal replaces signs too. */
  readonly secretGrace: number;
  /** Calls off what still runs, for a hub that stops; its requests stay in the store. */
  readonly abandon: AbortSignal;
  readonly now: () => number;
}

export interface SubscriptionRequests extends Withdrawals {
  readonly accept: AcceptSubscriptionRequest;
  /** Verifies a request whose process is gone. Never rejects. */
  readonly takeUp: (request: IntentRequest) => Promise<void>;
  readonly revoke: Revoke;
  /** Resolves when no callback is being asked or told any more. */
  settled(): Promise<void>;
  /** Nothing is asked from here on. */
  close(): Promise<void>;
}

/** At one host at the same time: enough for a host with many subscriptions, no burden for one that never asked. */
const runningPerHost = 10;

/** How subscriptions begin and end, but for what time does to them (sweep.ts). */
export function openSubscriptionRequests(parts: Parts): SubscriptionRequests {
  const { subscriptions: store, limits, callbacks, events, now } = parts;
  const atHost = createHostGate(runningPerHost);
  const questions = parts.questions ?? createQuestionGuard({ now });
  const outbound = createOutboundHttp({ ...parts.calling, guard: questions.guard, reuse: false });
  const asking = { ...parts, outbound, questions };
  const deny = denySubscriptions(asking);
  const { verify } = createIntentVerifier({ ...asking, store, deny });
  const budget = createUnconfirmedBudget(now);
  const queue = createVerificationQueue({ verify, atHost, budget, perHost: limits.verificationsPerHost });
  const { allow } = callbacks;
  const mayCall = allow === undefined ? () => true : callbackMatcher(allow);
  // They confirmed once, which this process may not know of any more: what counts questions must not keep the news from them.
  const denyActive = denySubscriptions(parts);
  const revocations = revokeSubscriptions({
    store,
    deny: (denied, reason) => atHost(callbackHostOf(denied.callback), () => denyActive(denied, reason)),
    events,
  });
  return {
    ...createWithdrawals({ ...parts, store, endAndTell: revocations.endAndTell }),
    accept: acceptSubscriptionRequests({ ...parts, channels: parts.admission, store, queue, mayCall }),
    takeUp: (request) => queue.add(request, Promise.resolve()),
    revoke: revocations.revoke,
    async settled() {
      await Promise.all([queue.settled(), revocations.settled()]);
    },
    close: () => outbound.close(),
  };
}
