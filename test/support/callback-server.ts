import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";

interface ReceivedDelivery {
  readonly method: string;
  /** Path and query, as they came over the wire. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The socket's own port: the same one shows a connection that was used again. */
  readonly fromPort: number;
}

export interface ReceivedVerification {
  readonly target: string;
  readonly parameters: URLSearchParams;
}

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Milliseconds before the answer begins. */
  readonly delay?: number;
  /** Never answers; the connection stays open. */
  readonly hang?: boolean;
}

type Answering<Received> = Answer | ((received: Received) => Answer | Promise<Answer>);

/** A subscriber, over real HTTP, whose answers a test steers. GETs are verifications, everything else is a delivery. */
export interface CallbackServer extends AsyncDisposable {
  /** `http://127.0.0.1:port`, or with the host that was asked for. */
  readonly origin: string;
  /** A callback of this subscriber: `target` is its path and query. */
  url(target?: string): string;
  /** In the order of their arrival; recorded before the answer begins. */
  readonly deliveries: readonly ReceivedDelivery[];
  readonly verifications: readonly ReceivedVerification[];
  /** From now on. At first: 204. */
  answerDeliveries(answering: Answering<ReceivedDelivery>): void;
  /** From now on. At first: 200 and the challenge. */
  answerVerifications(answering: Answering<ReceivedVerification>): void;
}

/** What a subscriber answers that wants what it is asked about (WebSub §5.3.1). */
export function confirming({ parameters }: ReceivedVerification): Answer {
  return {
    status: 200,
    headers: { "Content-Type": "text/plain" },
    body: parameters.get("hub.challenge") ?? "",
  };
}

/** `host` is a loopback address. */
export async function startCallbackServer(host = "127.0.0.1"): Promise<CallbackServer> {
  const deliveries: ReceivedDelivery[] = [];
  const verifications: ReceivedVerification[] = [];
  let onDelivery: Answering<ReceivedDelivery> = { status: 204 };
  let onVerification: Answering<ReceivedVerification> = confirming;

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
    const { method = "", url: target = "", headers, rawHeaders } = request;
    if (method === "GET") {
      const { searchParams } = new URL(target, "http://callback.invalid");
      const verification = { target, parameters: searchParams };
      verifications.push(verification);
      await answer(response, await answerTo(onVerification, verification));
      return;
    }
    const fromPort = request.socket.remotePort ?? 0;
    const delivery = {
      method,
      target,
      headers,
      rawHeaders,
      body: Buffer.concat(chunks),
      at: Date.now(),
      fromPort,
    };
    deliveries.push(delivery);
    await answer(response, await answerTo(onDelivery, delivery));
  }

  const server = createServer((request, response) => {
    // A hub that goes away in the middle of a request is no fault of the subscriber.
    receive(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const origin = `http://${host.includes(":") ? `[${host}]` : host}:${address.port}`;

  return {
    origin,
    url: (target = "/callback") => `${origin}${target}`,
    deliveries,
    verifications,
    answerDeliveries: (answering) => void (onDelivery = answering),
    answerVerifications: (answering) => void (onVerification = answering),
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answerTo<Received>(answering: Answering<Received>, received: Received): Promise<Answer> {
  return typeof answering === "function" ? answering(received) : answering;
}

async function answer(
  response: ServerResponse,
  { status = 200, headers, body, delay, hang }: Answer,
): Promise<void> {
  if (hang === true) return;
  if (delay !== undefined) await new Promise((resolve) => setTimeout(resolve, delay));
  response.writeHead(status, headers ?? {});
  response.end(body);
}
