import type { Request, RequestHandler, Response } from "express";
import type { z } from "zod";
import type { Endpoint } from "../operations/schemas/endpoint.ts";
import { checkedInput } from "./checked-input.ts";
import { readJson } from "./json-body.ts";
import { RequestError } from "./problem.ts";

interface Input<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** The URL of this list's page after `after`. */
  readonly nextPage: (after: string | undefined) => string | undefined;
}

export interface EndpointRoute {
  readonly endpoint: Endpoint;
  readonly handle: RequestHandler;
}

/** What answers at an endpoint: the request is checked, the answer sent as JSON. `apiUrl` is the API's own. */
export function routesAt(apiUrl: string) {
  return <P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
    endpoint: Endpoint<P, Q, B, A>,
    answer: (input: Input<z.output<P>, z.output<Q>, z.output<B>>) => Promise<z.output<A>>,
  ): EndpointRoute => ({
    endpoint,
    handle: async (request: Request, response: Response): Promise<void> => {
      const asked = queryOf(request);
      const answered = await answer({
        params: checkedInput(endpoint.params, request.params, "key"),
        query: checkedInput(endpoint.query, onceEach(asked), "query parameter"),
        body: checkedInput(endpoint.body, await readJson(request), "key"),
        nextPage: (after) => {
          if (after === undefined) return undefined;
          const next = new URLSearchParams(asked);
          next.set("after", after);
          return `${apiUrl}${request.path}?${next.toString()}`;
        },
      });
      response.setHeader("Content-Type", "application/json");
      response.end(`${JSON.stringify(answered)}\n`);
    },
  });
}

function queryOf({ originalUrl }: Request): URLSearchParams {
  const mark = originalUrl.indexOf("?");
  return new URLSearchParams(mark === -1 ? "" : originalUrl.slice(mark));
}

function onceEach(query: URLSearchParams): Record<string, string> {
  const names = [...query.keys()];
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) {
    throw new RequestError(
      400,
      `The query parameter ${twice.slice(0, 60)} stands there twice; once is taken.`,
    );
  }
  return Object.fromEntries(query);
}
