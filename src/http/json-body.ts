import type { IncomingMessage } from "node:http";
import { RequestError } from "./problem.ts";
import { mediaTypeOf, readBody } from "./request-body.ts";

const maxBytes = 16 * 1024;

/** The body of a request to the operators' API; where there is none, an empty object. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const body = await readBody(request, maxBytes, "A request to the operators' API has a few hundred.");
  if (body.length === 0) return {};
  if (mediaTypeOf(request) !== "application/json") {
    throw new RequestError(415, "The operators' API takes Content-Type: application/json.");
  }
  try {
    return JSON.parse(body.toString());
  } catch {
    throw new RequestError(400, "The body is not JSON.");
  }
}
