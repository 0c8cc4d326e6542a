import type { IncomingMessage, ServerResponse } from "node:http";
import { TLSSocket } from "node:tls";
import type { RequestHandler } from "express";

export interface SecurityHeaders {
  /** What goes with every answer of the hub. */
  readonly basic: (request: IncomingMessage, response: ServerResponse) => void;
  /** For everything that express routes. */
  readonly all: RequestHandler;
}

/** A year, in seconds (RFC 6797 §6.1.1). Not for subdomains: they are not the hub's. */
const transportSecurity = "max-age=31536000";

/**
 * HSTS is promised only where the hub itself speaks TLS (behind a proxy the proxy promises), and only on the port of https: it
 * holds for every port of the host, so that a hub on another one would close what others serve there by plain HTTP.
 */
export function securityHeaders(baseUrl: string): SecurityHeaders {
  const { protocol, port } = new URL(baseUrl);
  const isWholeHost = protocol === "https:" && port === "";

  const basic: SecurityHeaders["basic"] = ({ socket }, response) => {
    response.setHeader("X-Content-Type-Options", "nosniff");
    if (isWholeHost && socket instanceof TLSSocket) {
      response.setHeader("Strict-Transport-Security", transportSecurity);
    }
  };
  return {
    basic,
    all(request, response, next) {
      basic(request, response);
      setPageHeaders(response);
      next();
    },
  };
}

/** What goes with what a browser could show: nothing in it runs, loads or is framed. Pages set a policy of their own. */
function setPageHeaders(response: ServerResponse): void {
  response.setHeader("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
  response.setHeader("Referrer-Policy", "no-referrer");
}
