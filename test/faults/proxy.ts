import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { createGate } from "./gate.ts";

/** A TCP proxy between two parts of a round: where the network fails. */
export interface Proxy extends AsyncDisposable {
  readonly port: number;
  /** Ends every connection, at once. */
  cut(): void;
  /** The same, and refuses new ones until `come`. */
  leave(): void;
  come(): void;
  /** Lets no byte through until `flow`; connections stay, and new ones are taken. */
  stall(): void;
  flow(): void;
  /** Milliseconds that every piece takes on its way. */
  slow(milliseconds: number): void;
  /** The connections of now never pass a byte again, nor word that they ended; new ones are as they should be. */
  halfOpen(): void;
}

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
}

export async function startProxy(target: () => number): Promise<Proxy> {
  const pairs = new Set<Pair>();
  const dead = new Set<Pair>();
  let gate = createGate();
  let isAway = false;

  const listener = createServer({ noDelay: true }, (client) => {
    if (isAway) {
      client.resetAndDestroy();
      return;
    }
    const server = connect({ port: target(), host: "127.0.0.1", noDelay: true });
    const pair = { client, server };
    pairs.add(pair);
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      from.on("error", () => {});
      from.pipe(gate.through()).pipe(to);
      from.once("close", () => {
        pairs.delete(pair);
        if (!dead.has(pair)) to.destroy();
      });
    }
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const address = listener.address();
  if (address === null || typeof address === "string") throw new Error("no port");

  const cut = (): void => {
    for (const { client, server } of pairs) {
      client.resetAndDestroy();
      server.resetAndDestroy();
    }
  };
  return {
    port: address.port,
    cut,
    leave() {
      isAway = true;
      cut();
    },
    come: () => void (isAway = false),
    stall: () => gate.close(),
    flow: () => gate.open(),
    slow: (milliseconds) => void (gate.delay = milliseconds),
    halfOpen() {
      for (const pair of pairs) dead.add(pair);
      gate.close();
      gate = createGate();
    },
    async [Symbol.asyncDispose]() {
      for (const { client, server } of [...pairs, ...dead]) {
        client.destroy();
        server.destroy();
      }
      listener.close();
      await once(listener, "close");
    },
  };
}
