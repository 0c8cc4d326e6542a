import type { RequestHandler } from "express";
import { RequestError } from "./problem.ts";

/** For every method but these. */
export function only(methods: string): RequestHandler {
  return (request) => {
    throw new RequestError(405, `${request.method} is not done at ${request.path}; it takes ${methods}.`, {
      headers: { Allow: methods },
    });
  };
}
