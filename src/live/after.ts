import type { IncomingMessage } from "node:http";
import { formatInstant, type Instant, parseInstant } from "../protocol/instant.ts";
import { parsePosition, type Position } from "../protocol/position.ts";

/** What a reader has already; it is given everything after that. */
export type After =
  | { readonly kind: "position"; readonly position: Position }
  /** Everything received before this instant. */
  | { readonly kind: "instant"; readonly instant: Instant }
  /** Nothing: it wants all that the log holds. */
  | { readonly kind: "earliest" }
  /** Everything up to now. */
  | { readonly kind: "latest" };

/** The request asks for a place that cannot be one. Sending it again does not help; an HTTP server answers 400. */
export class BadAfter extends Error {
  override name = "BadAfter";
  readonly mayRetry = false;

  constructor(where: string, text: string) {
    super(
      `${where} is ${JSON.stringify(text.slice(0, 60))}. It takes a position that this hub gave out, a W3C datetime ` +
        `such as 2026-01-03T00:00:00Z, earliest, or latest.`,
    );
  }
}

export function parseAfter(text: string): After | undefined {
  if (text === "earliest" || text === "latest") return { kind: text };
  const position = parsePosition(text);
  if (position !== undefined) return { kind: "position", position };
  const instant = parseInstant(text);
  return instant === undefined ? undefined : { kind: "instant", instant };
}

/**
 * Reads `Last-Event-ID`, which a reconnecting EventSource sends beside the URL that it began with, or else `?after=`.
 * Without either it is `latest`. Throws `BadAfter`.
 */
export function afterOf(request: IncomingMessage): After {
  const lastEventId = request.headers["last-event-id"];
  if (typeof lastEventId === "string" && lastEventId !== "") return required("Last-Event-ID", lastEventId);
  const parameter = queryOf(request).get("after");
  // A + that was not escaped comes out of a query as a space, and no value that is allowed has one.
  return parameter === null ? { kind: "latest" } : required("after", parameter.replaceAll(" ", "+"));
}

export function queryOf(request: IncomingMessage): URLSearchParams {
  const url = request.url ?? "";
  const mark = url.indexOf("?");
  return new URLSearchParams(mark === -1 ? "" : url.slice(mark));
}

function required(where: string, text: string): After {
  const after = parseAfter(text);
  if (after === undefined) throw new BadAfter(where, text);
  return after;
}

/** For logs. */
export function describeAfter(after: After): string {
  if (after.kind === "position") return after.position;
  return after.kind === "instant" ? formatInstant(after.instant) : after.kind;
}
