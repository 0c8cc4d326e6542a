import type { ServerResponse } from "node:http";
import { BadAfter } from "../live/after.ts";
import { TooManyReaders } from "../live/live-channels.ts";
import { StorageUnavailable } from "../log/notification-log.ts";
import { OperationRefused } from "../operations/operation-refused.ts";
import type { Fault } from "../protocol/fault.ts";

export type ProblemStatus =
  400 | 401 | 403 | 404 | 405 | 406 | 408 | 409 | 410 | 413 | 415 | 422 | 429 | 500 | 503;

/** Problem details (RFC 9457). `detail` says what is wrong, by which rule, and what to do. */
export interface Problem {
  readonly status: ProblemStatus;
  readonly title: string;
  readonly detail: string;
  readonly faults?: readonly Fault[];
  /** Response headers that belong to the answer, such as Allow or WWW-Authenticate. */
  readonly headers?: Readonly<Record<string, string>>;
}

const titles: Record<ProblemStatus, string> = {
  400: "The request cannot be read",
  401: "A valid token is needed",
  403: "Not allowed",
  404: "There is nothing here",
  405: "This is not done here",
  406: "No such form",
  408: "The request did not arrive in time",
  409: "The request contradicts an earlier one",
  410: "No longer here",
  413: "Too large",
  415: "Wrong media type",
  422: "The document breaks a rule",
  429: "Too many requests",
  500: "The hub failed",
  503: "Not available at the moment",
};

/** Refuses a request, for a reason that its sender can read and mend. */
export class RequestError extends Error {
  override name = "RequestError";
  readonly problem: Problem;

  constructor(
    status: ProblemStatus,
    detail: string,
    more: { faults?: readonly Fault[]; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(detail, more.cause === undefined ? undefined : { cause: more.cause });
    this.problem = {
      status,
      title: titles[status],
      detail,
      ...(more.faults === undefined ? {} : { faults: more.faults }),
      ...(more.headers === undefined ? {} : { headers: more.headers }),
    };
  }
}

/** The one place that turns an error into an answer. What was not meant for the sender is not told to it. */
export function problemOf(error: unknown): Problem {
  if (error instanceof RequestError) return error.problem;
  if (error instanceof StorageUnavailable) {
    return {
      status: 503,
      title: titles[503],
      detail: "The hub cannot reach its storage, so nothing was changed. Send the same request again later.",
      headers: { "Retry-After": "5" },
    };
  }
  if (error instanceof OperationRefused) {
    const status = ({ unknown: 404, unusable: 400, contradicts: 409 } as const)[error.because];
    return { status, title: titles[status], detail: error.message };
  }
  if (error instanceof BadAfter) return { status: 400, title: titles[400], detail: error.message };
  if (error instanceof TooManyReaders) {
    return { status: 503, title: titles[503], detail: error.message, headers: { "Retry-After": "5" } };
  }
  if (error instanceof URIError) {
    return { status: 400, title: titles[400], detail: "The path has a percent-escape that is none." };
  }
  return {
    status: 500,
    title: titles[500],
    detail: "Something unexpected happened, and the log of the hub says what. It can help to try again.",
  };
}

export function sendProblem(response: ServerResponse, { headers, ...problem }: Problem): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.statusCode = problem.status;
  for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
  response.setHeader("Content-Type", "application/problem+json");
  response.end(`${JSON.stringify(problem)}\n`);
}
