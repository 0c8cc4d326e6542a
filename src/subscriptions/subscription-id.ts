import { createHash } from "node:crypto";
import type { ChannelId } from "../channels/channel.ts";
import { comparableUrl } from "../protocol/websub.ts";
import type { SubscriptionId } from "./subscription.ts";

/** 132 of the digest's 256 bits: two pairs never meet in one. */
const idLength = 22;

/** The key of a subscription is its pair of topic and callback, however each is percent-encoded (WebSub §5.1). */
export function subscriptionIdOf(channel: ChannelId, topic: string, callback: string): SubscriptionId {
  const pair = JSON.stringify([channel, comparableUrl(topic), comparableUrl(callback)]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one place that makes them
  return createHash("sha256").update(pair).digest("base64url").slice(0, idLength) as SubscriptionId;
}

/** `undefined` where the text has not the form of an id. */
export function parseSubscriptionId(text: string): SubscriptionId | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the pattern is the check
  return /^[\w-]{22}$/.test(text) ? (text as SubscriptionId) : undefined;
}
