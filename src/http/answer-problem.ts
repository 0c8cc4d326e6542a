import type { ErrorRequestHandler } from "express";
import type { Events } from "../observability/events.ts";
import { problemOf, sendProblem } from "./problem.ts";
import type { ClientOf } from "./client-of.ts";

interface Parts {
  readonly events: Pick<Events, "unexpected" | "accessRefused">;
  readonly clientOf: ClientOf;
}

/** What every route throws ends here. */
export function answerProblems({ events, clientOf }: Parts): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const problem = problemOf(error);
    const { status } = problem;
    const where = `${request.method} ${request.path}`;
    if (status === 500) events.unexpected({ where, error });
    if (status === 401 || status === 403) events.accessRefused({ where, status, client: clientOf(request) });
    sendProblem(response, problem);
  };
}
