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
   * Begins a subscription after `cursor`, or renews it: then everything is replaced (WebSub §5.1) but `createdAt` and the
   * cursor. Failures are forgotten, and with them a pause: the callback has just shown that it is there.
   */
  activate(subscription: Subscription, cursor: number): Promise<"created" | "renewed">;
  /** Removes the subscription and its progress; `false` where there was none. */
  end(channel: ChannelId, id: SubscriptionId): Promise<boolean>;
  find(channel: ChannelId, id: SubscriptionId): Promise<Subscription | undefined>;
  list(channel: ChannelId): Promise<readonly Subscription[]>;
}
