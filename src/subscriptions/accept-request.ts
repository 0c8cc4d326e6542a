import { randomUUID } from "node:crypto";
import type { ChannelId } from "../channels/channel.ts";
import type { Events } from "../observability/events.ts";
import { originOf } from "../protocol/http-url.ts";
import type { HubForm } from "../protocol/websub.ts";
import type { Authority } from "../security/access.ts";
import { subscriptionIdOf } from "./subscription-id.ts";
import type { SubscriptionStore } from "./subscription-store.ts";
import type { IntentRequest } from "./subscription.ts";
import type { NoRoom, VerificationQueue } from "./verification-queue.ts";
import { untouchedMilliseconds } from "./verify-intent.ts";

export type SubscriptionForm = Extract<HubForm, { kind: "subscribe" | "unsubscribe" }>;

type AcceptOutcome =
  /** Remembered; the verification begins now. How it ends is never part of the answer (WebSub §5.1.2). */
  | { readonly kind: "accepted" }
  | { readonly kind: "unknown-topic" | "callback-not-allowed"; readonly reason: string }
  /** `retryAfter` in seconds. */
  | { readonly kind: "too-busy"; readonly reason: string; readonly retryAfter: number };

/** `authority`: for a private set. Throws `StorageUnavailable` where the request could not be remembered. */
export type AcceptSubscriptionRequest = (
  form: SubscriptionForm,
  authority?: Authority,
) => Promise<AcceptOutcome>;

interface Parts {
  /** Topics of sets, and those elsewhere that are admitted. */
  readonly channels: { byTopic(topic: string): { readonly id: ChannelId } | undefined };
  readonly store: Pick<SubscriptionStore, "remember" | "find">;
  readonly queue: Pick<VerificationQueue, "noRoomFor" | "hostIsSpent" | "add">;
  readonly mayCall: (callback: string) => boolean;
  /** Seconds. */
  readonly leases: { readonly default: number; readonly min: number; readonly max: number };
  readonly events: Pick<Events, "subscriptionRequestRefused">;
  readonly now: () => number;
}

/** Takes requests to subscribe and unsubscribe, and has each verified in the background. */
export function acceptSubscriptionRequests(parts: Parts): AcceptSubscriptionRequest {
  const { channels, store, queue, mayCall, leases, events, now } = parts;

  return async (form, authority) => {
    const channel = channels.byTopic(form.topic);
    if (channel === undefined) return unknownTopic(form.topic);
    if (form.kind === "subscribe" && !mayCall(form.callback)) {
      events.subscriptionRequestRefused({ why: "callback", callbackOrigin: originOf(form.callback) });
      return { kind: "callback-not-allowed", reason: notAllowed };
    }
    const asked = requestFor(channel, form, authority);
    const noRoom = (await misuse(asked)) ?? queue.noRoomFor(asked);
    if (noRoom !== undefined) {
      events.subscriptionRequestRefused({ why: noRoom.why, callbackOrigin: originOf(form.callback) });
      return { kind: "too-busy", reason: noRoom.reason, retryAfter: noRoom.retryAfter };
    }
    const remembered = store.remember(asked, asked.askedAt + untouchedMilliseconds);
    void queue.add(asked, remembered);
    await remembered;
    return { kind: "accepted" };
  };

  /** Who has an active subscription may ask about it however many others at its host did not confirm. */
  async function misuse(asked: IntentRequest): Promise<NoRoom | undefined> {
    const spent = queue.hostIsSpent(asked);
    if (spent === undefined) return undefined;
    return (await store.find(asked.channel, asked.subscription)) === undefined ? spent : undefined;
  }

  function requestFor(
    channel: { readonly id: ChannelId },
    form: SubscriptionForm,
    holder: Authority | undefined,
  ): IntentRequest {
    const wanted = form.kind === "subscribe" ? form.leaseSeconds : undefined;
    return {
      id: randomUUID(),
      mode: form.kind,
      subscription: subscriptionIdOf(channel.id, form.topic, form.callback),
      channel: channel.id,
      topic: form.topic,
      callback: form.callback,
      secret: form.kind === "subscribe" ? form.secret : undefined,
      leaseSeconds: Math.min(Math.max(wanted ?? leases.default, leases.min), leases.max),
      // Not the whole holder: what else it may do is not asked of what is stored.
      authority: holder && { from: holder.from, name: holder.name, until: holder.until },
      askedAt: now(),
    };
  }
}

const notAllowed =
  "hub.callback is not among the callbacks that this hub delivers to (callbacks.allow in its configuration). Ask who runs it.";

/** Also for a topic that whoever asks may not know of. */
export function unknownTopic(topic: string): { readonly kind: "unknown-topic"; readonly reason: string } {
  const reason = `hub.topic ${topic} is not a topic of this hub. Its topics are in the Capability Lists that /.well-known/resourcesync leads to.`;
  return { kind: "unknown-topic", reason };
}
