import type { RequestHandler } from "express";
import { RequestError } from "./problem.ts";

/** For every method but these. */
export function only(methods: string): RequestHandler {
  return (request) => {
    // The whole path, also of what a router below another one answers.
    const path = request.baseUrl + request.path;
    throw new RequestError(405, `${request.method} is not done at ${path}; it takes ${methods}.`, {
      headers: { Allow: methods },
    });
  };
}
