import type { IncomingMessage, ServerResponse } from "node:http";
import { TLSSocket } from "node:tls";
import type { RequestHandler } from "express";

/** A year, in seconds (RFC 6797 §6.1.1). Not for subdomains: they are not the hub's. */
const transportSecurity = "max-age=31536000";

/**
 * What goes with every answer, whoever gives it. HSTS is promised only where the hub itself speaks TLS (behind a proxy the proxy
 * promises), and only on the port of https: it holds for every port of the host, so that a hub on another one would close what
 * others serve there by plain HTTP.
 */
export function securityHeaders(
  baseUrl: string,
): (request: IncomingMessage, response: ServerResponse) => void {
  const { protocol, port } = new URL(baseUrl);
  const isWholeHost = protocol === "https:" && port === "";

  return ({ socket }, response) => {
    response.setHeader("X-Content-Type-Options", "nosniff");
    if (isWholeHost && socket instanceof TLSSocket) {
      response.setHeader("Strict-Transport-Security", transportSecurity);
    }
  };
}

/** What goes with what a browser could show: nothing in it runs, loads or is framed. Pages set a policy of their own. */
export const pageHeaders: RequestHandler = (_request, response, next) => {
  response.setHeader("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
  response.setHeader("Referrer-Policy", "no-referrer");
  next();
};
