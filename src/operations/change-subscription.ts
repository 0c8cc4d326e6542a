import { randomBytes } from "node:crypto";
import type { DeliveryControl } from "../delivery/delivery-control.ts";
import type { WakeUps } from "../delivery/wake-ups.ts";
import type { Revoke } from "../subscriptions/revoke.ts";
import type { SubscriptionStore } from "../subscriptions/subscription-store.ts";
import type { Subscription } from "../subscriptions/subscription.ts";
import { OperationRefused } from "./operation-refused.ts";
import type { RotatedSecret, SecretBody } from "./schemas/subscriptions.ts";
import { textOf } from "./subscription-row.ts";

export interface ChangingParts {
  readonly subscriptions: Pick<SubscriptionStore, "setExhausted" | "rotateSecret">;
  readonly control: Pick<DeliveryControl, "pause" | "resume" | "hasten">;
  readonly revoke: Revoke;
  readonly wakeUps: Pick<WakeUps, "wake">;
  /** Milliseconds for which a replaced secret signs too, where the operator does not say. */
  readonly secretGrace: number;
  readonly now: () => number;
}

const defaultReason = "An operator of the hub ended this subscription.";

/** What an operator decides about one subscription. Everything throws `OperationRefused` where it has ended meanwhile. */
export function changeSubscriptions(parts: ChangingParts) {
  const { subscriptions, control, revoke, wakeUps, secretGrace, now } = parts;
  return {
    async pause(subscription: Subscription, note: string | undefined): Promise<void> {
      mustBeThere(subscription, await control.pause(subscription.channel, subscription.id, note));
    },
    async resume({ channel, id }: Subscription): Promise<void> {
      if (!(await control.resume(channel, id)) && !(await control.hasten(channel, id))) {
        throw new OperationRefused(
          "contradicts",
          `The subscription ${id} is not paused, and waits for no next attempt.`,
        );
      }
      await wakeUps.wake({ channel, subscription: id });
    },
    async setExhausted(subscription: Subscription, asked: "park" | "pause" | "default"): Promise<void> {
      const { channel, id } = subscription;
      const exhausted = asked === "default" ? undefined : asked;
      mustBeThere(subscription, await subscriptions.setExhausted(channel, id, exhausted));
    },
    async rotateSecret(subscription: Subscription, asked: SecretBody): Promise<RotatedSecret> {
      const { channel, id } = subscription;
      const secret = asked.secret ?? randomBytes(32).toString("base64url");
      const { graceSeconds } = asked;
      const until = now() + (graceSeconds === undefined ? secretGrace : graceSeconds * 1000);
      mustBeThere(subscription, await subscriptions.rotateSecret(channel, id, secret, until));
      return { id, secret, oldOneUntil: textOf(until) };
    },
    async end(subscription: Subscription, reason: string | undefined): Promise<void> {
      mustBeThere(subscription, await revoke(subscription, reason ?? defaultReason));
    },
  };
}

function mustBeThere({ id }: Subscription, isThere: boolean): void {
  if (!isThere) throw new OperationRefused("unknown", `The subscription ${id} has just ended.`);
}
