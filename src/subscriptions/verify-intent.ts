import type { ChannelId } from "../channels/channel.ts";
import type { NotificationLog } from "../log/notification-log.ts";
import { reportFault } from "../log/report-fault.ts";
import type { Events } from "../observability/events.ts";
import { originOf } from "../protocol/http-url.ts";
import type { OutboundHttp } from "../security/outbound-http.ts";
import { askCallbacks } from "./ask-callback.ts";
import type { Deny } from "./deny.ts";
import { createPutOffs } from "./put-off.ts";
import type { QuestionGuard } from "./question-guard.ts";
import type { SubscriptionStore } from "./subscription-store.ts";
import { type GrantedLease, grantedLease } from "./granted-lease.ts";
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
  /** Knows whom `outbound` may ask, and is told who has shown interest. */
  readonly questions?: Pick<QuestionGuard, "proven" | "confirmed" | "isSpent">;
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

export function createIntentVerifier(parts: Parts): IntentVerifier {
  const { store, log, events, wakeUps, deny, questions } = parts;
  const { secretGrace, abandon, now } = parts;
  const askCallback = askCallbacks(parts);
  const putOffs = createPutOffs(now);
  const isStopping = () => abandon?.aborted === true;
  const isCovered = (request: IntentRequest): boolean =>
    parts.mayReceive(request) && (request.authority?.until ?? Number.POSITIVE_INFINITY) > now();

  return {
    async verify(request) {
      let end: VerificationEnd = "left for later";
      try {
        end = await decide(request);
        if (end === "left for later") return end;
        putOffs.over(request);
        await store.forget(request);
      } catch (error) {
        reportFault(events, "verification of intent")(error);
      }
      return end;
    },
  };

  async function decide(request: IntentRequest): Promise<VerificationEnd> {
    const { mode, channel } = request;
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
    const answered = await askCallback(request, lease.leaseSeconds);
    if (isStopping()) return "left for later";
    // It had its 202: nobody is to blame for the questions of strangers, and soon there is room again.
    if (answered.kind === "not-now" && putOffs.mayWait(request)) return "left for later";
    if (answered.kind === "confirmed") return await carryOut(request, lease, cursor, verifiedAt);
    events.intentNotVerified({ ...about(request), reason: answered.reason });
    return answered.kind === "not-now" ? "not asked" : "not confirmed";
  }

  /** Does what was confirmed, unless a token was taken away meanwhile. */
  async function carryOut(
    request: IntentRequest,
    lease: GrantedLease,
    cursor: number,
    verifiedAt: number,
  ): Promise<VerificationEnd> {
    const { mode, channel, subscription } = request;
    if (mode === "subscribe" && !isCovered(request)) {
      await deny(request, noLongerCovered);
      return isStopping() ? "left for later" : "confirmed";
    }
    const result =
      mode === "subscribe"
        ? await store.activate(subscribed(request, lease, verifiedAt), cursor, verifiedAt + secretGrace)
        : await ended(request);
    events.intentVerified({ ...about(request), result, leaseSeconds: lease.leaseSeconds });
    if (result === "renewed") await wakeUps.wake({ channel, subscription });
    return "confirmed";
  }

  async function judge(request: IntentRequest): Promise<Validation | undefined> {
    if (!isCovered(request)) return { kind: "refused", reason: noLongerCovered };
    return await parts.validate?.(request);
  }

  async function isActive({ channel, subscription, callback }: IntentRequest): Promise<boolean> {
    const found = (await store.find(channel, subscription)) !== undefined;
    if (found) questions?.proven(callback);
    return found;
  }

  async function ended({ channel, subscription }: IntentRequest): Promise<"ended" | "had ended"> {
    return (await store.end(channel, subscription)) ? "ended" : "had ended";
  }
}

/** Whom an event is about. */
function about({ mode, channel, subscription, callback }: IntentRequest) {
  return { channel, subscription, callbackOrigin: originOf(callback), mode };
}

function subscribed(request: IntentRequest, lease: GrantedLease, verifiedAt: number) {
  const { subscription: id, channel, topic, callback, secret, authority } = request;
  const decided = { previousSecret: undefined, exhausted: undefined, createdAt: verifiedAt };
  return { id, channel, topic, callback, secret, authority, ...lease, ...decided };
}
