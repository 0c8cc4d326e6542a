import type { CallbackAnswer } from "./answer-verification.ts";
import type { CallbackSubscription } from "./callback-subscription.ts";
import type { TakeInOrder } from "./delivery-order.ts";
import { type CallbackRequest, RawBodyGone, readRawBody } from "./raw-body.ts";
import { signatureFault } from "./signature-fault.ts";

export interface ReceivedNotification {
  /** The one that was subscribed to. */
  readonly topic: string;
  /** As it was sent, byte for byte. */
  readonly payload: Buffer;
  readonly contentType: string;
  /** `webhook-id`: the same for each attempt to deliver this notification. Hubs other than this one may send none. */
  readonly id: string | undefined;
  /** `webhook-attempt`, from 1. */
  readonly attempt: number | undefined;
}

export interface DeliveryRules {
  readonly onNotification: (notification: ReceivedNotification) => Promise<void> | void;
  readonly onError: (error: unknown) => void;
  readonly maxBytes: number;
  readonly allowSha1: boolean;
  readonly requireWebhookSignature: boolean;
  readonly now: () => number;
}

/** Somebody sent to a callback what its hub would not have sent. */
export class DeliveryRefused extends Error {
  override name = "DeliveryRefused";
  readonly mayRetry = false;
}

const maxIdLength = 256;

/** `undefined` where nobody is there to read an answer. Rejects with what `onNotification` threw, and with `RawBodyGone`. */
export async function takeDelivery(
  request: CallbackRequest,
  { topic, secrets }: Pick<CallbackSubscription, "topic" | "secrets">,
  take: TakeInOrder,
  rules: DeliveryRules,
): Promise<CallbackAnswer | undefined> {
  const { maxBytes, allowSha1, requireWebhookSignature } = rules;
  const body = await readRawBody(request, maxBytes);
  if (body.kind === "cut") return undefined;
  if (body.kind === "gone") throw new RawBodyGone();
  if (body.kind === "too-large") {
    const says = `The delivery has more than ${maxBytes} bytes.`;
    rules.onError(
      new DeliveryRefused(`A delivery of ${topic} was refused: ${says} Set maxBytes to take it.`),
    );
    return { status: 413, body: says };
  }
  const headers = request.headersDistinct;
  const now = rules.now();
  const fault =
    secrets.length === 0
      ? undefined
      : signatureFault(headers, body.bytes, { secrets, allowSha1, requireWebhookSignature, now });
  if (fault !== undefined) {
    rules.onError(new DeliveryRefused(`A delivery of ${topic} was refused: ${fault}`));
    return { status: 403, body: fault };
  }
  const [id = ""] = headers["webhook-id"] ?? [];
  const [attempt = ""] = headers["webhook-attempt"] ?? [];
  const notification: ReceivedNotification = {
    topic,
    payload: body.bytes,
    contentType: request.headers["content-type"] ?? "application/octet-stream",
    id: id === "" || id.length > maxIdLength ? undefined : id,
    attempt: /^[1-9]\d{0,5}$/.test(attempt) ? Number(attempt) : undefined,
  };
  await take(notification.id, () => rules.onNotification(notification));
  return { status: 200, body: "" };
}
