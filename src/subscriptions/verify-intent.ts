import type { ChannelId } from "../channels/channel.ts";
import type { NotificationLog } from "../log/notification-log.ts";
import { reportFault } from "../log/report-fault.ts";
import type { Events } from "../observability/events.ts";
import { originOf } from "../protocol/http-url.ts";
import { callbackWith, newChallenge } from "../protocol/websub.ts";
import type { OutboundAnswer } from "../security/http-exchange.ts";
import { isOutboundError } from "../security/outbound-errors.ts";
import type { OutboundHttp } from "../security/outbound-http.ts";
import { sameSecret } from "../security/same-secret.ts";
import type { Deny } from "./deny.ts";
import type { SubscriptionStore } from "./subscription-store.ts";
import { grantedLease } from "./granted-lease.ts";
import type { IntentRequest, MayReceive, SubscriptionId } from "./subscription.ts";
import { noLongerCovered } from "./withdraw.ts";

/** What the hub, or the publisher, says to a request to subscribe; `reason` is a sentence for the subscriber. */
type Validation = { readonly kind: "valid" } | { readonly kind: "refused"; readonly reason: string };

/** Rejects where it cannot say yet: then the request is taken up again later. */
export type ValidateSubscription = (request: IntentRequest) => Promise<Validation>;

interface Parts {
  readonly outbound: Pick<OutboundHttp, "request">;
  readonly store: Pick<SubscriptionStore, "find" | "activate" | "end" | "forget">;
  readonly log: Pick<NotificationLog, "bounds">;
  readonly events: Pick<Events, "intentVerified" | "intentNotVerified" | "storageUnavailable" | "unexpected">;
  /** Told of a subscription that was renewed: what failed is forgotten, so it can be delivered to at once. Never rejects. */
  readonly wakeUps: {
    wake(renewed: { readonly channel: ChannelId; readonly subscription: SubscriptionId }): Promise<void>;
  };
  /** Asked before the callback is, of requests to subscribe only (WebSub §5, §5.2). Without it, all are valid. */
  readonly validate?: ValidateSubscription;
  /** Tokens can be replaced between the request and its verification. */
  readonly mayReceive: MayReceive;
  readonly deny: Deny;
  /** Told of a callback that has shown interest. */
  readonly proven?: (callback: string) => void;
  /** Milliseconds for the callback to answer. */
  readonly timeout: number;
  /** Milliseconds for which a secret that a renewal replaces signs too. */
  readonly secretGrace: number;
  /** Calls questions off, for a hub that stops; their requests stay in the store. */
  readonly abandon?: AbortSignal;
  readonly now: () => number;
}

export interface IntentVerifier {
  /**
   * Asks the callback and does what it confirmed (WebSub §5.3). Never rejects: where the store is away, the request stays
   * in it for `takeOverdue`.
   */
  readonly verify: (request: IntentRequest) => Promise<VerificationEnd>;
}

/** `not confirmed`: the callback was called, with a question or a denial, and has shown no interest. */
export type VerificationEnd = "confirmed" | "not confirmed" | "not asked" | "left for later";

/** How long a request is left to the process that verifies it, before another may take it up. */
export const untouchedMilliseconds = 120_000;

/** The challenge has 43 bytes: what goes on after it is wrong anyway. */
const maxAnswerBytes = 1024;

export function createIntentVerifier(parts: Parts): IntentVerifier {
  const { store, log, events, wakeUps, deny, proven, secretGrace, abandon, now } = parts;
  const askCallback = askCallbacks(parts);
  const isStopping = () => abandon?.aborted === true;
  const isCovered = (request: IntentRequest): boolean =>
    parts.mayReceive(request) && (request.authority?.until ?? Number.POSITIVE_INFINITY) > now();

  return {
    async verify(request) {
      let end: VerificationEnd = "left for later";
      try {
        end = await decide(request);
        if (end === "confirmed") proven?.(request.callback);
        if (end !== "left for later") await store.forget(request);
      } catch (error) {
        reportFault(events, "verification of intent")(error);
      }
      return end;
    },
  };

  async function decide(request: IntentRequest): Promise<VerificationEnd> {
    const { mode, channel, subscription } = request;
    const active = await isActive(request);
    if (mode === "unsubscribe" && !active) return "not asked";
    const validation = mode === "subscribe" ? await judge(request) : undefined;
    if (isStopping()) return "left for later";
    if (validation?.kind === "refused") {
      await deny(request, validation.reason);
      return isStopping() ? "left for later" : "not confirmed";
    }

    // Read before the callback is asked: whatever is published once it has confirmed comes after this place.
    const cursor = mode === "subscribe" ? (await log.bounds(channel)).newest : 0;
    const verifiedAt = now();
    const lease = grantedLease(request, verifiedAt);
    const { leaseSeconds } = lease;
    const refusal = await askCallback(request, leaseSeconds);
    if (isStopping()) return "left for later";
    const who = { channel, subscription, callbackOrigin: originOf(request.callback), mode };
    if (refusal !== undefined) {
      events.intentNotVerified({ ...who, reason: refusal });
      return "not confirmed";
    }
    if (mode === "subscribe" && !isCovered(request)) {
      await deny(request, noLongerCovered);
      return isStopping() ? "left for later" : "confirmed";
    }
    const result =
      mode === "subscribe"
        ? await store.activate(subscribed(request, lease, verifiedAt), cursor, verifiedAt + secretGrace)
        : await ended(request);
    events.intentVerified({ ...who, result, leaseSeconds });
    if (result === "renewed") await wakeUps.wake({ channel, subscription });
    return "confirmed";
  }

  async function judge(request: IntentRequest): Promise<Validation | undefined> {
    if (!isCovered(request)) return { kind: "refused", reason: noLongerCovered };
    return await parts.validate?.(request);
  }

  async function isActive({ channel, subscription, callback }: IntentRequest): Promise<boolean> {
    const found = (await store.find(channel, subscription)) !== undefined;
    if (found) proven?.(callback);
    return found;
  }

  async function ended({ channel, subscription }: IntentRequest): Promise<"ended" | "had ended"> {
    return (await store.end(channel, subscription)) ? "ended" : "had ended";
  }
}

/** Why the callback did not confirm; `undefined` where it did. The secret is no part of the question. */
function askCallbacks({ outbound, timeout, abandon }: Pick<Parts, "outbound" | "timeout" | "abandon">) {
  return async (
    { mode, topic, callback }: IntentRequest,
    leaseSeconds: number,
  ): Promise<string | undefined> => {
    const challenge = newChallenge();
    const url = callbackWith(callback, {
      "hub.mode": mode,
      "hub.topic": topic,
      "hub.challenge": challenge,
      ...(mode === "subscribe" ? { "hub.lease_seconds": String(leaseSeconds) } : {}),
    });
    try {
      const bounds = { timeout, maxBytes: maxAnswerBytes, signal: abandon };
      const answer = await outbound.request({ method: "GET", url, headers: {}, ...bounds });
      return refusalIn(answer, challenge);
    } catch (error) {
      if (isOutboundError(error)) return error.message;
      throw error;
    }
  };
}

/** Why an answer confirms nothing; `undefined` where it does. */
function refusalIn({ status, body, truncated }: OutboundAnswer, challenge: string): string | undefined {
  if (status < 200 || status > 299) return `the callback answered ${status}, not 2xx (WebSub §5.3.1)`;
  if (!truncated && sameSecret(body, challenge)) return undefined;
  return `the callback answered ${status}, but its body is not exactly the challenge (WebSub §5.3.1)`;
}

function subscribed(request: IntentRequest, lease: ReturnType<typeof grantedLease>, verifiedAt: number) {
  const { subscription: id, channel, topic, callback, secret, authority } = request;
  const decided = { previousSecret: undefined, exhausted: undefined, createdAt: verifiedAt };
  return { id, channel, topic, callback, secret, authority, ...lease, ...decided };
}
