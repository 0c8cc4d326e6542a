import type { Duplex } from "node:stream";

const titles = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable",
} as const;

export type UpgradeRefusal = keyof typeof titles;

export const isUpgradeRefusal = (status: number): status is UpgradeRefusal => status in titles;

/** Answers a request to upgrade as HTTP, with problem details (RFC 9457), and ends the connection. */
export function refuseUpgrade(
  socket: Duplex,
  status: UpgradeRefusal,
  detail: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const body = `${JSON.stringify({ status, title: titles[status], detail })}\n`;
  const head = [
    `HTTP/1.1 ${status} ${titles[status]}`,
    "Content-Type: application/problem+json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "X-Content-Type-Options: nosniff",
    ...Object.entries({ ...(status === 503 ? { "Retry-After": "5" } : {}), ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
    "Connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
