import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { once } from "node:events";
import { freePort } from "../../bench/harness/free-port.ts";
import type { Taken } from "./observed.ts";
import { digestOf } from "./payload.ts";
import type { Random } from "./random.ts";

export type CallbackKind = "steady" | "slow" | "flaky" | "stalling" | "dead" | "gone";

/** A subscriber with a server of its own, who behaves as its kind does until it is told to be calm. */
export interface Callback extends AsyncDisposable {
  readonly name: string;
  readonly kind: CallbackKind;
  readonly url: string;
  readonly taken: readonly Taken[];
  /** Answers of 410: one that is gone gives none for its first notifications, and then no others. */
  readonly refusals: () => number;
  readonly verifications: () => number;
  /** A dead one closes its door after it has subscribed. */
  die(): Promise<void>;
  /** From now on it answers everything at once. A dead one opens its door again. */
  calm(): Promise<void>;
}

/** POSTs that a callback takes before it answers 410. */
export const goneAfter = 5;

type Behaviour = (response: ServerResponse, take: () => void) => void;

const answer = (response: ServerResponse, status: number, headers: Record<string, string> = {}): void => {
  response.writeHead(status, headers).end();
};

function behaviourOf(kind: CallbackKind, random: Random): Behaviour {
  return (response, take) => {
    const accept = (): void => {
      take();
      answer(response, 204);
    };
    if (kind === "slow") setTimeout(accept, random.between(10, 60));
    else if (kind === "stalling" && random.chance(0.04)) response.once("close", () => {});
    else if (kind === "flaky" && random.chance(0.2)) fail(response, random);
    else accept();
  };
}

function fail(response: ServerResponse, random: Random): void {
  const way = random.between(0, 3);
  if (way === 0) response.socket?.resetAndDestroy();
  else if (way === 1) answer(response, 503, { "Retry-After": "0" });
  else answer(response, way === 2 ? 500 : 502);
}

export async function startCallback(name: string, kind: CallbackKind, random: Random): Promise<Callback> {
  const taken: Taken[] = [];
  let [posts, verified] = [0, 0];
  let behave = behaviourOf(kind, random);

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === "GET") {
      verified += 1;
      const { searchParams } = new URL(request.url ?? "", "http://callback.invalid");
      response.end(searchParams.get("hub.challenge") ?? "");
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
    posts += 1;
    if (kind === "gone" && posts > goneAfter) {
      answer(response, 410);
      return;
    }
    const digest = digestOf(Buffer.concat(chunks));
    const id = String(request.headers["webhook-id"]);
    behave(response, () => taken.push({ id, digest }));
  }

  const port = await freePort();
  let server = await listen();
  async function listen(): Promise<Server> {
    const opened = createServer((request, response) => {
      // A hub that goes away in the middle of a request is no fault of the subscriber.
      receive(request, response).catch(() => response.destroy());
    });
    opened.listen(port, "127.0.0.1");
    await once(opened, "listening");
    return opened;
  }
  const close = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return {
    name,
    kind,
    url: `http://127.0.0.1:${port}/${name}`,
    taken,
    refusals: () => (kind === "gone" ? Math.max(posts - goneAfter, 0) : 0),
    verifications: () => verified,
    die: close,
    async calm() {
      behave = behaviourOf("steady", random);
      if (!server.listening) server = await listen();
    },
    [Symbol.asyncDispose]: close,
  };
}
