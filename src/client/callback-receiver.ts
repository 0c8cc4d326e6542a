import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { parseLinkHeader } from "../protocol/link-header.ts";
import { hubSignature, type SignatureMethod } from "../protocol/signature.ts";

export interface ReceivedNotification {
  readonly topic: string;
  /** As it was sent, byte for byte. */
  readonly payload: Buffer;
  readonly contentType: string;
  /** The same for each attempt to deliver this notification: after a crash of the hub it can come twice. */
  readonly id: string | undefined;
}

export interface CallbackReceiverOptions {
  /** Those that are wanted. Subscribing to them is confirmed; unsubscribing from one only after it was taken out. */
  readonly topics: { has(topic: string): boolean };
  /** The secret that the topic was subscribed with. Where there is one, what is not signed with it is refused. */
  readonly secretFor?: (topic: string) => string | undefined;
  /** The hub is told of success when this resolves, and sends again later if it throws. */
  readonly onNotification: (notification: ReceivedNotification) => Promise<void> | void;
  readonly onError?: (error: unknown) => void;
  readonly maxBytes?: number;
}

const methods: readonly SignatureMethod[] = ["sha256", "sha384", "sha512", "sha1"];

/** A handler for `node:http` that plays the subscriber's part in WebSub: it confirms intent, checks signatures, takes deliveries. */
export function createCallbackReceiver(options: CallbackReceiverOptions) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const answered =
      request.method === "GET"
        ? Promise.resolve(verifyIntent(request, options))
        : request.method === "POST"
          ? takeDelivery(request, options)
          : Promise.resolve({ status: 405, body: "A callback takes GET and POST." });
    answered
      .catch((error: unknown) => {
        options.onError?.(error);
        return { status: 500, body: "The notification could not be handled; send it again." };
      })
      .then(({ status, body }) => answer(response, status, body))
      .catch(options.onError ?? (() => {}));
  };
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** WebSub §5.3: the challenge goes back only where this side wants what the hub was asked for. */
function verifyIntent(request: IncomingMessage, { topics }: CallbackReceiverOptions): Answer {
  const query = new URLSearchParams((request.url ?? "").replace(/^[^?]*/, ""));
  const [mode, topic] = [query.get("hub.mode"), query.get("hub.topic") ?? ""];
  if (mode === "denied") return { status: 200, body: "" };
  const challenge = query.get("hub.challenge") ?? "";
  const isWanted = topics.has(topic);
  const isExpected = mode === "subscribe" ? isWanted : mode === "unsubscribe" && !isWanted;
  // Only what WebSub §5.3 allows in a challenge: nothing that a browser could take for a page.
  if (isExpected && /^[-+./0-9=A-Z_a-z]{1,256}$/.test(challenge)) return { status: 200, body: challenge };
  return { status: 404, body: "This is not what was asked for." };
}

async function takeDelivery(request: IncomingMessage, options: CallbackReceiverOptions): Promise<Answer> {
  const payload = await readBody(request, options.maxBytes ?? 50_000_000);
  if (payload === undefined) return { status: 413, body: "The notification is too large." };
  const self = parseLinkHeader(request.headersDistinct["link"] ?? []).find(({ rels }) =>
    rels.includes("self"),
  );
  if (self === undefined || !options.topics.has(self.href)) {
    return { status: 404, body: "This topic was not subscribed to." };
  }
  const secret = options.secretFor?.(self.href);
  const signature = request.headersDistinct["x-hub-signature"]?.[0] ?? "";
  if (secret !== undefined && !isSignedWith(secret, payload, signature)) {
    return { status: 403, body: "X-Hub-Signature is missing or does not fit the body." };
  }
  await options.onNotification({
    topic: self.href,
    payload,
    contentType: request.headers["content-type"] ?? "application/xml",
    id: request.headersDistinct["webhook-id"]?.[0],
  });
  return { status: 200, body: "" };
}

function isSignedWith(secret: string, payload: Buffer, signature: string): boolean {
  const method = methods.find((name) => signature.startsWith(`${name}=`));
  if (method === undefined) return false;
  const [given, expected] = [Buffer.from(signature), Buffer.from(hubSignature(secret, payload, method))];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    // The rest is let run out, so that the sender reads the answer and not a reset.
    if (length <= maxBytes) chunks.push(chunk);
  }
  return length <= maxBytes ? Buffer.concat(chunks) : undefined;
}

function answer(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, {
    "Content-Type": "text/plain; charset=utf-8",
    "X-Content-Type-Options": "nosniff",
    ...(status === 405 ? { Allow: "GET, POST" } : {}),
  });
  response.end(body);
}
