import type { IncomingMessage } from "node:http";
import type { ErrorRequestHandler } from "express";
import type { Events } from "../observability/events.ts";
import { type Problem, problemOf, sendProblem } from "./problem.ts";
import type { ClientOf } from "./client-of.ts";

export interface RefusalParts {
  readonly events: Pick<Events, "unexpected" | "accessRefused">;
  readonly clientOf: ClientOf;
}

/** Tells the log and the metrics of what a route threw at `where`, and of its answer. */
export type TellOfRefusal = (
  where: string,
  request: IncomingMessage,
  error: unknown,
  answer: Pick<Problem, "status">,
) => void;

export function tellOfRefusal({ events, clientOf }: RefusalParts): TellOfRefusal {
  return (where, request, error, { status }) => {
    if (status === 500) events.unexpected({ where, error });
    if (status === 401 || status === 403) events.accessRefused({ where, status, client: clientOf(request) });
  };
}

/** What every route throws ends here. */
export function answerProblems(parts: RefusalParts): ErrorRequestHandler {
  const tell = tellOfRefusal(parts);
  return (error: unknown, request, response, _next) => {
    const problem = problemOf(error);
    tell(`${request.method} ${request.path}`, request, error, problem);
    sendProblem(response, problem);
  };
}
