import { createServer } from "node:http";
import { freePort } from "../bench/harness/free-port.ts";
import { createCallbackReceiver, keepSubscribed, listenToChannel } from "../src/index.ts";
import { readEventStream } from "./event-stream.ts";

/** A Destination of the demonstration: what it received, per channel, in the order of arrival. */
export interface Destination {
  readonly name: string;
  readonly received: Map<string, string[]>;
  close(): Promise<void>;
}

export type Tell = (name: string, line: string) => void;

const kindOf = (url: string): string => url.slice(url.lastIndexOf("/") + 1);

function record(received: Map<string, string[]>, topic: string, payload: string): void {
  received.set(kindOf(topic), [...(received.get(kindOf(topic)) ?? []), payload]);
}

/** Reads live channels over WebSocket with the client library, which reconnects and resumes by itself. */
export function webSocketDestination(channels: readonly string[], tell: Tell): Destination {
  const name = "WebSocket";
  const received = new Map<string, string[]>();
  const stopping = new AbortController();
  const reading = channels.map(async (channel) => {
    const messages = listenToChannel(channel, {
      after: "earliest",
      signal: stopping.signal,
      onState: (state) => {
        if (state.kind === "waiting" && !stopping.signal.aborted)
          tell(name, `lost ${kindOf(channel)}, comes back`);
      },
    });
    for await (const message of messages) {
      if (message.type === "gap") tell(name, `GAP on ${kindOf(channel)}`);
      if (message.type !== "notification") continue;
      record(received, channel, message.payload);
      tell(name, `received ${message.position}`);
    }
  });
  return {
    name,
    received,
    async close() {
      stopping.abort();
      await Promise.all(reading);
    },
  };
}

/** Reads the same channels as Server-Sent Events, and resumes with Last-Event-ID. */
export function eventStreamDestination(channels: readonly string[], tell: Tell): Destination {
  const name = "SSE";
  const received = new Map<string, string[]>();
  const stopping = new AbortController();
  const reading = channels.map(async (channel) => {
    for await (const event of readEventStream(`${channel}?after=earliest`, stopping.signal)) {
      if (event.kind === "lost") tell(name, `lost ${kindOf(channel)}, comes back`);
      if (event.kind !== "event" || event.type !== "notification") continue;
      record(received, channel, event.data);
      tell(name, `received ${event.id}`);
    }
  });
  return {
    name,
    received,
    async close() {
      stopping.abort();
      await Promise.all(reading);
    },
  };
}

/** A callback with a secret, which fails twice before it takes its first notification. */
export async function callbackDestination(channels: readonly string[], tell: Tell): Promise<Destination> {
  const name = "WebSub";
  const received = new Map<string, string[]>();
  let failures = 2;
  const port = await freePort();
  const receiver = createCallbackReceiver({
    url: `http://127.0.0.1:${port}/callbacks`,
    // What comes again after a crash of the hub, with the same webhook-id, is not handed over again.
    onNotification({ topic, payload, id = "" }) {
      record(received, topic, payload.toString());
      tell(name, `received ${positionOf(id)}, signature good`);
    },
    onError: (error) => tell(name, `REFUSED ${String(error)}`),
  });
  const server = createServer((request, response) => {
    if (request.method === "POST" && failures > 0) {
      failures -= 1;
      tell(name, "answers 503: out of order");
      request.resume();
      response.writeHead(503).end();
      return;
    }
    receiver.handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));

  const kept = await Promise.all(
    channels.map((topic) =>
      keepSubscribed({ receiver, topic, secret: crypto.randomUUID(), leaseSeconds: 3600 }),
    ),
  );
  return {
    name,
    received,
    async close() {
      await Promise.all(kept.map((subscription) => subscription[Symbol.asyncDispose]()));
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** webhook-id ends with the position. */
const positionOf = (id: string): string => id.slice(id.lastIndexOf("_") + 1);
