import { createServer, type IncomingMessage } from "node:http";
import { closeServer, listenOnLoopback } from "../live/listen-on-loopback.ts";

export interface HubReply {
  readonly status?: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends the connection without an answer. */
  readonly cut?: true;
  /** What it then asks at the callback, where not for what it was asked for; `nothing` leaves that out. */
  readonly asks?: Readonly<Record<string, string>> | "nothing";
}

interface Asked {
  /** What the hub was asked for. */
  readonly form: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
}

/** A hub, over real HTTP, whose answers a test steers; every other path is a topic. At first: 202, and a lease of 600 s. */
export async function startWebSubHub() {
  const requests: Asked[] = [];
  const confirmations: { readonly status: number; readonly body: string }[] = [];
  let reply: (number: number) => HubReply = () => ({});
  let topic: (method: string) => HubReply = () => ({});

  async function askBack(form: URLSearchParams, asks: Readonly<Record<string, string>>): Promise<void> {
    const query = new URLSearchParams({
      "hub.mode": form.get("hub.mode") ?? "",
      "hub.topic": form.get("hub.topic") ?? "",
      "hub.challenge": "challenge-1",
      "hub.lease_seconds": "600",
      ...asks,
    });
    const response = await fetch(`${form.get("hub.callback")}?${query.toString()}`);
    confirmations.push({ status: response.status, body: await response.text() });
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (request.method !== "POST") {
        const { status = 200, headers = {}, body = "" } = topic(request.method ?? "");
        response.writeHead(status, headers).end(request.method === "HEAD" ? "" : body);
        return;
      }
      const form = new URLSearchParams(Buffer.concat(chunks).toString());
      requests.push({ form, headers: request.headers });
      const { status = 202, headers = {}, body = "", cut, asks = {} } = reply(requests.length);
      if (cut === true) {
        request.socket.destroy();
        return;
      }
      response.writeHead(status, headers).end(body);
      if (status === 202 && asks !== "nothing" && form.has("hub.callback"))
        askBack(form, asks).catch(() => {});
    });
  });
  const origin = await listenOnLoopback(server);
  return {
    origin,
    hub: `${origin}/websub`,
    requests,
    /** What the callbacks answered. */
    confirmations,
    /** From now on; `number` counts requests from 1. */
    answer: (next: (number: number) => HubReply) => void (reply = next),
    answerTopics: (next: (method: string) => HubReply) => void (topic = next),
    askBack,
    [Symbol.asyncDispose]: () => closeServer(server),
  };
}
