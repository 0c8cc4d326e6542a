import type { ChannelId } from "../channels/channel.ts";
import type { IntentRequest, Subscription, SubscriptionId } from "./subscription.ts";

/** Every method throws `StorageUnavailable` where the store cannot be reached; what it resolved is durable. */
export interface SubscriptionStore {
  /** Keeps a request until it is forgotten. It is not handed out by `takeOverdue` before `untouchedUntil` (milliseconds since 1970). */
  remember(request: IntentRequest, untouchedUntil: number): Promise<void>;
  forget(request: IntentRequest): Promise<void>;
  /** Requests whose verification was begun by a process that is gone; hidden again until `untouchedUntil`. */
  takeOverdue(now: number, untouchedUntil: number, limit: number): Promise<readonly IntentRequest[]>;
  /**
   * Begins a subscription after `cursor`, or renews it: then everything is replaced (WebSub §5.1) but `createdAt`, what an
   * operator decided, and the cursor. Failures are forgotten, and with them a pause that they led to: the callback has just shown
   * that it is there. An operator's pause stays. A secret that another one replaces signs too until `keepSecretUntil`
   * (milliseconds since 1970; 0, the default: not at all); a renewal without a secret ends all signing at once.
   */
  activate(
    subscription: Subscription,
    cursor: number,
    keepSecretUntil?: number,
  ): Promise<"created" | "renewed">;
  /** `undefined`: as the configuration says. `false` where there is no such subscription, here and below. */
  setExhausted(
    channel: ChannelId,
    id: SubscriptionId,
    exhausted: Subscription["exhausted"],
  ): Promise<boolean>;
  /** Signs with another secret from now on; the one that it replaces signs too until `until` (milliseconds since 1970). */
  rotateSecret(channel: ChannelId, id: SubscriptionId, secret: string, until: number): Promise<boolean>;
  /** Removes the subscription and its progress; `false` where there was none. */
  end(channel: ChannelId, id: SubscriptionId): Promise<boolean>;
  find(channel: ChannelId, id: SubscriptionId): Promise<Subscription | undefined>;
  list(channel: ChannelId): Promise<readonly Subscription[]>;
}
