import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { connectionEvent, type HubServer } from "./secure-server.ts";

/** Header fields that speak of the upgrade only (RFC 9110 §7.8, RFC 7540 §3.2.1). */
const ofTheUpgrade = ["upgrade", "http2-settings"];

export function asksForWebSocket({ headers }: IncomingMessage): boolean {
  return (headers.upgrade ?? "")
    .toLowerCase()
    .split(/[\s,]+/)
    .includes("websocket");
}

/**
 * Answers a request that offers another protocol as if it had not: a server may pass over the offer (RFC 9110 §7.8), and
 * Java's HTTP client and `curl --http2` offer h2c with every first request. Node has left the connection when it tells of the
 * offer, so it is given the request a second time.
 */
export function goOnWithoutUpgrade(
  server: HubServer,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const { method = "", url = "", httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = "", value = ""] = rawHeaders.slice(at, at + 2);
    const kept = name.toLowerCase() === "connection" ? withoutUpgrade(value) : value;
    if (ofTheUpgrade.includes(name.toLowerCase()) || kept === "") continue;
    lines.push(`${name}: ${kept}`);
  }
  // Node reads header bytes as Latin-1.
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), head]));
  server.emit(connectionEvent(server), socket);
}

function withoutUpgrade(connection: string): string {
  const options = connection.split(",").map((option) => option.trim());
  return options.filter((option) => !ofTheUpgrade.includes(option.toLowerCase())).join(", ");
}
