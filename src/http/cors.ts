import type { IncomingMessage } from "node:http";
import type { RequestHandler } from "express";
import { RequestError } from "./problem.ts";

/** Which pages of other origins a browser lets read the hub (Fetch §3.3), and which may open a WebSocket. */
export interface Cors {
  /** Whether a WebSocket may be opened; programs that are no browsers send no `Origin`. */
  mayConnect(origin: string | undefined): boolean;
  /**
   * Throws 403 for a form or document that a page of another origin sends: a browser asks nobody before it does (Fetch §4.8, simple
   * requests), and may stand in a network that the page's own server cannot reach.
   */
  refuseOthers(request: Pick<IncomingMessage, "headers">): void;
  /** For documents and event streams. */
  readonly headers: RequestHandler;
}

/** Seconds for which a browser remembers the answer to a preflight. */
const preflightAge = "600";

/** A token is never sent by a browser by itself, so `*` gives away nothing that a program could not read. */
export function createCors(origins: "all" | readonly string[], baseUrl: string): Cors {
  const own = new URL(baseUrl).origin;
  const allows = (origin: string): boolean => origins === "all" || origin === own || origins.includes(origin);
  return {
    mayConnect: (origin) => origin === undefined || allows(origin),
    refuseOthers({ headers: { origin } }) {
      if (origin === undefined || allows(origin)) return;
      throw new RequestError(
        403,
        "Pages of this origin may send nothing here: the hub lists those that may (cors.origins).",
      );
    },
    headers(request, response, next) {
      const { origin } = request.headers;
      if (origins !== "all") response.vary("Origin");
      if (origins === "all" || (origin !== undefined && allows(origin))) {
        response.setHeader("Access-Control-Allow-Origin", origins === "all" ? "*" : (origin ?? ""));
        response.setHeader("Access-Control-Expose-Headers", "Link, ETag");
      }
      if (request.method !== "OPTIONS" || request.headers["access-control-request-method"] === undefined) {
        next();
        return;
      }
      // Before anything looks at the path: the answer is the same whether there is something or not.
      response.setHeader("Access-Control-Allow-Methods", "GET, HEAD");
      response.setHeader(
        "Access-Control-Allow-Headers",
        "Authorization, Last-Event-ID, If-None-Match, If-Modified-Since",
      );
      response.setHeader("Access-Control-Max-Age", preflightAge);
      response.status(204).end();
    },
  };
}
