import type { IncomingMessage, ServerResponse } from "node:http";
import { TLSSocket } from "node:tls";
import type { RequestHandler } from "express";

/** A year, in seconds (RFC 6797 §6.1.1). Not for subdomains: they are not the hub's. */
const transportSecurity = "max-age=31536000";

/** What goes with every answer of the hub. */
export function setBasicHeaders({ socket }: IncomingMessage, response: ServerResponse): void {
  response.setHeader("X-Content-Type-Options", "nosniff");
  // Only where the hub itself speaks TLS: behind a proxy that is the proxy's to promise.
  if (socket instanceof TLSSocket) response.setHeader("Strict-Transport-Security", transportSecurity);
}

/** What goes with what a browser could show: nothing in it runs, loads or is framed. Pages set a policy of their own. */
function setPageHeaders(response: ServerResponse): void {
  response.setHeader("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
  response.setHeader("Referrer-Policy", "no-referrer");
}

/** For everything that express routes. */
export const withHeaders: RequestHandler = (request, response, next) => {
  setBasicHeaders(request, response);
  setPageHeaders(response);
  next();
};
