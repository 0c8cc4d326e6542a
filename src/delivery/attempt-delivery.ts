import { STATUS_CODES } from "node:http";
import type { Topic } from "../channels/topic.ts";
import type { Notification } from "../log/notification-log.ts";
import { formatLinkHeader } from "../protocol/link-header.ts";
import { hubSignature, type SignatureMethod, webhookSignature } from "../protocol/signature.ts";
import type { OutboundAnswer } from "../security/http-exchange.ts";
import { AddressRefused, isOutboundError } from "../security/outbound-errors.ts";
import type { OutboundHttp } from "../security/outbound-http.ts";
import type { Subscription } from "../subscriptions/subscription.ts";
import type { AttemptRecord } from "./delivery-ledger.ts";
import { retryAfterOf } from "../protocol/retry-after.ts";

export type DeliveryOutcome =
  | { readonly kind: "delivered"; readonly status: number; readonly milliseconds: number }
  | {
      readonly kind: "failed";
      readonly record: AttemptRecord;
      /** Milliseconds that the callback asked to wait, at most an hour. */
      readonly retryAfter: number | undefined;
      /** Whether the answer speaks of the whole server: 429, 502, 503, 504. */
      readonly slowOrigin: boolean;
      /** Whether the server was not reached, or gave no answer: refused, reset, timed out, no such host, TLS. */
      readonly unreachable: boolean;
    }
  /** 410: the subscriber deleted the subscription (WebSub §7). */
  | { readonly kind: "gone"; readonly record: AttemptRecord }
  /** Called off by us: says nothing about the callback. */
  | { readonly kind: "abandoned" }
  /** Not attempted: others come first. */
  | { readonly kind: "crowded" }
  /** Not attempted before `until` (milliseconds since 1970): the circuit of the origin is open. */
  | { readonly kind: "barred"; readonly until: number; readonly reason: string };

/** `attempt` counts from 1. Never rejects because of the callback. */
export type AttemptDelivery = (
  subscription: Subscription,
  topic: Pick<Topic, "topic" | "hubUrl">,
  notification: Notification,
  attempt: number,
) => Promise<DeliveryOutcome>;

interface Parts {
  readonly outbound: Pick<OutboundHttp, "request">;
  /** Milliseconds for the whole exchange. */
  readonly timeout: number;
  readonly signatureMethod: SignatureMethod;
  readonly now: () => number;
}

/** Answers are read for the operator's sake only (WebSub §7: the hub ignores the body). */
const maxAnswerBytes = 1024;
const slowOriginStatuses = new Set([429, 502, 503, 504]);

/** One POST of one notification to one callback (WebSub §7). */
export function attemptDelivery({ outbound, timeout, signatureMethod, now }: Parts) {
  return async (
    ...[subscription, topic, notification, attempt, abandon]: [
      ...Parameters<AttemptDelivery>,
      abandon?: AbortSignal,
    ]
  ): Promise<DeliveryOutcome> => {
    const at = now();
    const { callback: url } = subscription;
    const { payload: body } = notification;
    const id = `msg_${subscription.id}_${notification.position}`;
    const timestamp = String(Math.floor(at / 1000));
    const headers = {
      "Content-Type": notification.contentType,
      Link: formatLinkHeader([
        { href: topic.hubUrl, rel: "hub" },
        { href: topic.topic, rel: "self" },
      ]),
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-attempt": String(attempt),
      ...signatures(subscription, signatureMethod, { id, timestamp, body }, at),
    };
    try {
      const request = {
        method: "POST",
        url,
        headers,
        body,
        timeout,
        maxBytes: maxAnswerBytes,
        signal: abandon,
      };
      const answer = await outbound.request({ ...request, method: "POST" });
      return outcomeOf(answer, at, now());
    } catch (error) {
      if (abandon?.aborted === true) return { kind: "abandoned" };
      if (!isOutboundError(error)) throw error;
      const reason = error.message;
      const record = { at, milliseconds: now() - at, status: undefined, reason, answer: undefined };
      // An address that may not be called says nothing about a server.
      const unreachable = !(error instanceof AddressRefused);
      return { kind: "failed", record, retryAfter: undefined, slowOrigin: false, unreachable };
    }
  };
}

/** None without a secret. X-Hub-Signature has room for one; during a rotation it is the new secret's. */
function signatures(
  { secret, previousSecret }: Subscription,
  method: SignatureMethod,
  message: { readonly id: string; readonly timestamp: string; readonly body: Buffer },
  now: number,
): Record<string, string> {
  if (secret === undefined) return {};
  const isGrace = previousSecret !== undefined && now < previousSecret.until;
  const secrets = isGrace ? [secret, previousSecret.secret] : [secret];
  return {
    "X-Hub-Signature": hubSignature(secret, message.body, method),
    "webhook-signature": webhookSignature(secrets, message),
  };
}

function outcomeOf(answer: OutboundAnswer, at: number, endedAt: number): DeliveryOutcome {
  const { status } = answer;
  const milliseconds = endedAt - at;
  if (status >= 200 && status <= 299) return { kind: "delivered", status, milliseconds };
  const record = { at, milliseconds, status, reason: reasonOf(status), answer: printable(answer.body) };
  if (status === 410) return { kind: "gone", record };
  const retryAfter = retryAfterOf(answer.headers["retry-after"], endedAt);
  return {
    kind: "failed",
    record,
    retryAfter,
    slowOrigin: slowOriginStatuses.has(status),
    unreachable: false,
  };
}

function reasonOf(status: number): string {
  const redirect = status >= 300 && status <= 399 ? "; a hub follows no redirect (WebSub §7)" : "";
  return `answered ${status} ${STATUS_CODES[status] ?? ""}`.trimEnd() + redirect;
}

/** Foreign text for a terminal or a page: one line without control characters; `undefined` where nothing is left. */
function printable(body: Buffer): string | undefined {
  const text = body
    .subarray(0, maxAnswerBytes)
    .toString("utf8")
    .replaceAll(/[\p{C}\s\uFFFD]+/gu, " ")
    .trim();
  return text === "" ? undefined : text;
}
