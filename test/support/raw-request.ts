import { once } from "node:events";
import { connect, type Socket } from "node:net";

interface Exchange {
  /** Everything that came back. */
  readonly answer: string;
  readonly statuses: readonly number[];
  /** Whether the other end closed the connection; else it was open when the patience was over, or `until` had been met. */
  readonly isEndedByPeer: boolean;
}

export interface ExchangeOptions {
  /** Milliseconds until the connection is given up. */
  readonly patience?: number;
  /** Once the answer so far is this, no more is waited for. */
  readonly until?: (answer: string) => boolean;
}

/** Bytes over a connection of their own, as no HTTP library would send them. */
export async function rawExchange(
  port: number,
  writes: readonly (string | Buffer)[],
  { patience = 10_000, until = () => false }: ExchangeOptions = {},
): Promise<Exchange> {
  const socket = await rawConnection(port);
  let answer = "";
  let isEndedByPeer = true;
  const giveUp = (): void => {
    if (socket.destroyed) return;
    isEndedByPeer = false;
    socket.destroy();
  };
  socket.setEncoding("latin1").on("data", (text: string) => {
    answer += text;
    if (until(answer)) giveUp();
  });
  // `once` of node:events would reject at an error, which is how a connection ends that is cut off.
  const closed = new Promise((resolve) => socket.once("close", resolve));
  for (const bytes of writes) {
    if (!socket.writable) break;
    socket.write(bytes);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const timer = setTimeout(giveUp, patience);
  await closed;
  clearTimeout(timer);
  return { answer, statuses: statusesOf(answer), isEndedByPeer };
}

/** The same, where only what came back counts. */
export async function rawRequest(
  port: number,
  writes: readonly (string | Buffer)[],
  options?: ExchangeOptions,
): Promise<string> {
  return (await rawExchange(port, writes, options)).answer;
}

export async function rawConnection(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}

/** A request as it is written: `start` is method and target; the body, if any, is sent as it is. */
export const requestText = (start: string, headers: readonly string[] = [], body = ""): string =>
  [`${start} HTTP/1.1`, "Host: hub", ...headers, "", body].join("\r\n");

/** The status of each answer, in their order. */
export const statusesOf = (answer: string): number[] =>
  [...answer.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));

/** An answer has begun. */
export const hasAnswer = (answer: string): boolean => statusesOf(answer).length > 0;
