import { randomUUID } from "node:crypto";
import type { Channel } from "../channels/channel.ts";
import type { HubForm } from "../protocol/websub.ts";
import { subscriptionIdOf } from "./subscription-id.ts";
import type { SubscriptionStore } from "./subscription-store.ts";
import type { IntentRequest, SubscriptionId } from "./subscription.ts";
import { untouchedMilliseconds } from "./verify-intent.ts";

export type SubscriptionForm = Extract<HubForm, { kind: "subscribe" | "unsubscribe" }>;

type AcceptOutcome =
  /** Remembered; the verification begins now. How it ends is never part of the answer (WebSub §5.1.2). */
  { readonly kind: "accepted" } | { readonly kind: "unknown-topic" | "too-busy"; readonly reason: string };

/** Throws `StorageUnavailable` where the request could not be remembered. */
export type AcceptSubscriptionRequest = (form: SubscriptionForm) => Promise<AcceptOutcome>;

interface Parts {
  readonly channels: { byTopic(topic: string): Channel | undefined };
  readonly store: Pick<SubscriptionStore, "remember">;
  /** Never rejects. */
  readonly verify: (request: IntentRequest) => Promise<void>;
  /** Seconds. */
  readonly leases: { readonly default: number; readonly min: number; readonly max: number };
  readonly now: () => number;
}

/** Verifications that run or wait. */
const maxUnderWay = 1000;
/** Of one subscription: what a callback that answers nothing can make wait. */
const maxUnderWayPerSubscription = 5;

/** Takes requests to subscribe and unsubscribe, and has each verified in the background. */
export function acceptSubscriptionRequests({ channels, store, verify, leases, now }: Parts): {
  readonly accept: AcceptSubscriptionRequest;
  /** Resolves when no verification runs any more. */
  settled(): Promise<void>;
} {
  /** Requests for one pair are verified one after the other, so that the latest one has the last word (WebSub §5.1). */
  const queues = new Map<SubscriptionId, { waiting: number; last: Promise<void> }>();
  let underWay = 0;

  /** Takes a place in the queue at once: requests that come together must not all find room before the first is stored. */
  function enqueue(request: IntentRequest, remembered: Promise<void>): void {
    const { subscription: id } = request;
    const queue = queues.get(id) ?? { waiting: 0, last: Promise.resolve() };
    queue.waiting += 1;
    underWay += 1;
    queue.last = queue.last
      .then(() => remembered)
      .then(() => verify(request))
      // Whoever asked was told that it could not be remembered.
      .catch(() => {})
      .finally(() => {
        queue.waiting -= 1;
        underWay -= 1;
        if (queue.waiting === 0) queues.delete(id);
      });
    queues.set(id, queue);
  }

  function isBusy(id: SubscriptionId): boolean {
    return underWay >= maxUnderWay || (queues.get(id)?.waiting ?? 0) >= maxUnderWayPerSubscription;
  }

  return {
    async accept(form) {
      const channel = channels.byTopic(form.topic);
      if (channel === undefined) return { kind: "unknown-topic", reason: unknownTopic(form.topic) };
      const subscription = subscriptionIdOf(channel.id, form.topic, form.callback);
      if (isBusy(subscription)) return { kind: "too-busy", reason: tooBusy };
      const askedAt = now();
      const asked = form.kind === "subscribe" ? form.leaseSeconds : undefined;
      const request: IntentRequest = {
        id: randomUUID(),
        mode: form.kind,
        subscription,
        channel: channel.id,
        topic: form.topic,
        callback: form.callback,
        secret: form.kind === "subscribe" ? form.secret : undefined,
        leaseSeconds: Math.min(Math.max(asked ?? leases.default, leases.min), leases.max),
        askedAt,
      };
      const remembered = store.remember(request, askedAt + untouchedMilliseconds);
      enqueue(request, remembered);
      await remembered;
      return { kind: "accepted" };
    },
    async settled() {
      while (queues.size > 0) await Promise.all([...queues.values()].map(({ last }) => last));
    },
  };
}

const tooBusy =
  "Too many requests, for this callback or in all, wait for their verification. Send the request again later.";

function unknownTopic(topic: string): string {
  return `hub.topic ${topic} is not a topic of this hub. Its topics are in the Capability Lists that /.well-known/resourcesync leads to.`;
}
