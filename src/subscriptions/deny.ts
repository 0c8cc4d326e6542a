import type { ChannelId } from "../channels/channel.ts";
import type { Events } from "../observability/events.ts";
import { originOf } from "../protocol/http-url.ts";
import { callbackWith } from "../protocol/websub.ts";
import { isOutboundError, type OutboundError } from "../security/outbound-errors.ts";
import type { OutboundHttp } from "../security/outbound-http.ts";
import type { SubscriptionId } from "./subscription.ts";

/** A request or a subscription: what a denial says to the callback, and what the log says of it. */
interface Denied {
  readonly channel: ChannelId;
  readonly subscription: SubscriptionId;
  /** As the subscriber wrote it. */
  readonly topic: string;
  /** As the subscriber wrote it. */
  readonly callback: string;
}

/** Tells a callback that it has no subscription, and why (WebSub §5.2). Never rejects because of the callback. */
export type Deny = (denied: Denied, reason: string) => Promise<void>;

interface Parts {
  readonly outbound: Pick<OutboundHttp, "request">;
  readonly events: Pick<Events, "subscriptionDenied">;
  /** Milliseconds for the callback to answer. */
  readonly timeout: number;
  /** Calls denials off, for a hub that stops. */
  readonly abandon?: AbortSignal;
}

const maxReasonLength = 200;
/** What it answers does not matter (w3c/websub #183); this much shows that it has answered. */
const maxAnswerBytes = 1024;
/** One more after an answer that did not come: a denial is a courtesy, and its callback may be nobody's. */
const attempts = 2;

/** One line of plain text: a subscriber may show it to a person. */
export function reasonOfDenial(reason: string): string {
  const line = reason.replaceAll(/[\p{C}\s]+/gu, " ").trim();
  if (line.length <= maxReasonLength) return line;
  // Half a surrogate pair is no character, and cannot be percent-encoded.
  return `${line.slice(0, maxReasonLength - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** Denials carry no challenge, and their answers are ignored. */
export function denySubscriptions({ outbound, events, timeout, abandon }: Parts): Deny {
  return async (denied, reason) => {
    const shown = reasonOfDenial(reason);
    const url = callbackWith(denied.callback, {
      "hub.mode": "denied",
      "hub.topic": denied.topic,
      ...(shown === "" ? {} : { "hub.reason": shown }),
    });
    let fault: OutboundError | undefined;
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      fault = await send(url);
      if (abandon?.aborted === true) return;
      if (fault?.mayRetry !== true) break;
    }
    const { channel, subscription, callback } = denied;
    const told = fault === undefined ? "answered" : fault.message;
    events.subscriptionDenied({
      channel,
      subscription,
      callbackOrigin: originOf(callback),
      reason: shown,
      told,
    });
  };

  async function send(url: string): Promise<OutboundError | undefined> {
    const request = { method: "GET", url, headers: {}, timeout, maxBytes: maxAnswerBytes } as const;
    try {
      await outbound.request({ ...request, signal: abandon });
      return undefined;
    } catch (error) {
      if (isOutboundError(error)) return error;
      throw error;
    }
  }
}
