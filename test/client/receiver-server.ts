import { createHmac } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import express, { type Express } from "express";
import { type CallbackReceiverOptions, createCallbackReceiver } from "../../src/client/callback-receiver.ts";
import type { SubscriptionNews } from "../../src/client/callback-subscription.ts";
import type { ReceivedNotification } from "../../src/client/take-delivery.ts";
import { closeServer, listenOnLoopback } from "../live/listen-on-loopback.ts";

export const topic = "https://hub.example.org/sets/maps/change-notification";

export interface ReceiverServerOptions extends Partial<CallbackReceiverOptions> {
  readonly secret?: string | readonly string[];
  /** What stands before and behind the receiver, where it is mounted in Express. */
  readonly express?: (app: Express, handle: RequestListener) => void;
}

type Body = string | Uint8Array<ArrayBuffer>;

/** A receiver with one subscription, on a real socket, and the requests that a hub makes. */
export async function startReceiver({
  secret,
  express: mount,
  onNotification,
  ...options
}: ReceiverServerOptions = {}) {
  const received: ReceivedNotification[] = [];
  const errors: unknown[] = [];
  const news: SubscriptionNews[] = [];
  const denials: SubscriptionNews[] = [];
  const server = createServer();
  const origin = await listenOnLoopback(server);
  const receiver = createCallbackReceiver({
    url: `${origin}/callbacks`,
    onDenied: (denial) => denials.push(denial),
    onError: (error) => errors.push(error),
    ...options,
    onNotification: async (notification) => {
      received.push(notification);
      await onNotification?.(notification);
    },
  });
  if (mount === undefined) server.on("request", receiver.handle);
  else {
    const app = express();
    mount(app, receiver.handle);
    server.on("request", app);
  }
  const subscription = receiver.subscription({ topic, secret });
  subscription.watch((told) => news.push(told));
  return {
    receiver,
    subscription,
    received,
    errors,
    news,
    denials,
    origin,
    verify: (parameters: Record<string, string>, callback = subscription.callback) =>
      fetch(
        `${callback}?${new URLSearchParams({ "hub.mode": "subscribe", "hub.topic": topic, "hub.challenge": "abc-123_", ...parameters }).toString()}`,
      ),
    deliver: (body: Body, headers: Record<string, string> = {}, callback = subscription.callback) =>
      fetch(callback, {
        method: "POST",
        body,
        headers: { "Content-Type": "application/xml", ...headers },
      }),
    [Symbol.asyncDispose]: () => closeServer(server),
  };
}

export const hubSigned = (body: Body, secret: string, method = "sha256"): Record<string, string> => ({
  "X-Hub-Signature": `${method}=${createHmac(method, secret).update(body).digest("hex")}`,
});

/** What Standard Webhooks has a sender write. */
export function webhookSigned(
  body: string,
  secret: string,
  { id = "msg_1", at = Date.now() }: { readonly id?: string; readonly at?: number } = {},
): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000));
  const signature = createHmac("sha256", secret).update(`${id}.${timestamp}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
}
