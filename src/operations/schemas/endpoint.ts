import { z } from "zod";

/** One thing that the operators' API does: what the routes check, what the client sends, and what OpenAPI says. */
export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> {
  /** The operation's name in OpenAPI. */
  readonly name: string;
  readonly method: "get" | "post" | "patch" | "delete";
  /** Below `/api/v1`, with `{id}` where an id belongs. */
  readonly path: string;
  readonly summary: string;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly answer: Answer;
}

const nothing = z.strictObject({});

/** What an endpoint takes that takes nothing. */
export const noInput = { params: nothing, query: nothing, body: nothing };
