import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** Bytes over a connection of their own, as no HTTP library would send them; answers everything that came back until it ended. */
export async function rawRequest(
  port: number,
  writes: readonly (string | Buffer)[],
  patience = 10_000,
): Promise<string> {
  const socket = await rawConnection(port);
  let answer = "";
  socket.setEncoding("latin1").on("data", (text: string) => (answer += text));
  // `once` of node:events would reject at an error, which is how a connection ends that is cut off.
  const closed = new Promise((resolve) => socket.once("close", resolve));
  for (const bytes of writes) {
    if (!socket.writable) break;
    socket.write(bytes);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const timer = setTimeout(() => socket.destroy(), patience);
  await closed;
  clearTimeout(timer);
  return answer;
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
