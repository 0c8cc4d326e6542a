import type { ServerResponse } from "node:http";
import { answerVerification, type CallbackAnswer } from "./answer-verification.ts";
import {
  type CallbackSubscription,
  type ExpectedSubscription,
  expectSubscription,
  type SubscriptionNews,
  type SubscriptionWish,
} from "./callback-subscription.ts";
import { inOrder, type TakeInOrder } from "./delivery-order.ts";
import { type CallbackRequest, RawBodyGone } from "./raw-body.ts";
import { type DeliveryRules, takeDelivery } from "./take-delivery.ts";

export interface CallbackReceiverOptions extends Pick<DeliveryRules, "onNotification"> {
  /** Where hubs reach this receiver, https outside of tests: callbacks are paths below it, and their ends are secrets. */
  readonly url: string | URL;
  readonly onDenied?: (denial: Extract<SubscriptionNews, { kind: "denied" }>) => void;
  /** What `onNotification` threw, and what was refused. Without it, errors become warnings of the process. */
  readonly onError?: (error: unknown) => void;
  /** Of one delivery; 10,000,000 unless it is set. */
  readonly maxBytes?: number;
  /** Takes `X-Hub-Signature: sha1=…`, which WebSub §8.3 advises against. */
  readonly allowSha1?: boolean;
  /** Takes only what Standard Webhooks signs, so that nothing can be played again after five minutes. */
  readonly requireWebhookSignature?: boolean;
  /** How many ids of each subscription are remembered, to hand over nothing twice; 1,000 unless it is set. */
  readonly rememberedIds?: number;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

export interface CallbackReceiver {
  /**
   * For `http.createServer`, and for `app.use` of Express, where what is not a callback goes on to the next handler. Mount it
   * before body parsers: signatures are over the bytes as they were sent.
   */
  readonly handle: (
    request: CallbackRequest,
    response: ServerResponse,
    next?: (error?: unknown) => void,
  ) => void;
  /** A callback of its own for one subscription. The same id again takes the place of the one before. */
  subscription(wish: SubscriptionWish): CallbackSubscription;
}

/** At one callback: a hub sends one after the other, so more than this is no hub. Bounds the memory for bodies. */
const maxAtOnce = 8;
/** Ended subscriptions whose callbacks still say so; a bound for programs that subscribe again and again. */
const maxEnded = 1000;

interface Place {
  readonly subscription: ExpectedSubscription;
  readonly take: TakeInOrder;
  atOnce: number;
}

/**
 * The subscriber's part of WebSub: confirms intent, hears denials, checks signatures, takes deliveries in order and each id
 * once. A subscription is known by the path of its callback, never by a `Link` header of the delivery (WebSub §7).
 */
export function createCallbackReceiver(options: CallbackReceiverOptions): CallbackReceiver {
  const { now = Date.now, rememberedIds = 1000, onDenied = () => {}, url } = options;
  const onError = options.onError ?? ((error) => process.emitWarning(warningOf(error)));
  const {
    maxBytes = 10_000_000,
    allowSha1 = false,
    requireWebhookSignature = false,
    onNotification,
  } = options;
  const rules: DeliveryRules = { onNotification, onError, maxBytes, allowSha1, requireWebhookSignature, now };
  const places = new Map<string, Place>();
  const callbackOf = (id: string): string => String(new URL(id, `${String(url).replace(/\/+$/, "")}/`));

  async function answerAt(place: Place, request: CallbackRequest): Promise<CallbackAnswer | undefined> {
    const { subscription } = place;
    if (request.method === "GET") {
      const query = new URLSearchParams((request.url ?? "").replace(/^[^?]*/, ""));
      return answerVerification(query, subscription, now());
    }
    if (request.method !== "POST") {
      return { status: 405, body: "A callback takes GET and POST.", headers: { Allow: "GET, POST" } };
    }
    if (subscription.isEnded) return { status: 410, body: "This subscription has ended (WebSub §7)." };
    if (place.atOnce >= maxAtOnce) {
      return { status: 503, body: "Too many deliveries at once.", headers: { "Retry-After": "5" } };
    }
    place.atOnce += 1;
    try {
      return await takeDelivery(request, subscription, place.take, rules);
    } finally {
      place.atOnce -= 1;
    }
  }

  function tell(news: SubscriptionNews, subscription: ExpectedSubscription): void {
    try {
      subscription.tell(news);
      if (news.kind === "denied") onDenied(news);
    } catch (error) {
      onError(error);
    }
  }

  function forgetEnded(): void {
    if (places.size % 100 > 0) return;
    const ended = [...places].filter(([, { subscription }]) => subscription.isEnded);
    for (const [id] of ended.slice(0, -maxEnded)) places.delete(id);
  }

  return {
    handle(request, response, next) {
      const [path = ""] = (request.url ?? "").split("?", 1);
      const place = places.get(path.slice(path.lastIndexOf("/") + 1));
      if (place === undefined) {
        if (next === undefined) send(request, response, { status: 404, body: "There is no such callback." });
        else next();
        return;
      }
      answerAt(place, request)
        .catch((error: unknown): CallbackAnswer => {
          onError(error);
          const says =
            error instanceof RawBodyGone ? error.message : "The notification could not be handled.";
          return { status: 500, body: `${says} Send it again.` };
        })
        .then((answer) => {
          if (answer === undefined) return void response.destroy();
          const { news } = answer;
          // A hub that did not read the answer has confirmed nothing.
          if (news !== undefined) response.once("finish", () => tell(news, place.subscription));
          send(request, response, answer);
        })
        .catch(onError);
    },
    subscription(wish) {
      const subscription = expectSubscription(wish, callbackOf);
      places.set(subscription.id, { subscription, take: inOrder(rememberedIds), atOnce: 0 });
      forgetEnded();
      return subscription;
    },
  };
}

const warningOf = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

function send(request: CallbackRequest, response: ServerResponse, answer: CallbackAnswer): void {
  // What was not read is let run out, so that the sender reads the answer and not a reset.
  if (!request.readableDidRead) request.resume();
  response.writeHead(answer.status, {
    "Content-Type": "text/plain; charset=utf-8",
    "X-Content-Type-Options": "nosniff",
    ...answer.headers,
  });
  response.end(request.method === "HEAD" ? "" : answer.body);
}
