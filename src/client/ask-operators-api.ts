import { request } from "undici";
import type { z } from "zod";
import type { Endpoint } from "../operations/schemas/endpoint.ts";
import { parseProblem, type Problem } from "./problem.ts";
import { HubUnreachable } from "./until-decided.ts";

export interface OperatorAccess {
  /** Base URL of the hub, such as `https://hub.example.org`. */
  readonly url: string;
  /** The hub's admin token. */
  readonly token: string;
  readonly signal?: AbortSignal;
}

/** The hub did not do what an operator asked for; `problem` says why. */
export class OperationDenied extends Error {
  override name = "OperationDenied";
  readonly problem: Problem;
  /** Whether the same request can succeed later. */
  readonly mayRetry: boolean;

  constructor(problem: Problem) {
    super(problem.detail === "" ? `The hub answered ${problem.status}.` : problem.detail);
    this.problem = problem;
    this.mayRetry = [429, 502, 503, 504].includes(problem.status);
  }
}

interface Given<Params, Query, Body> {
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
}

/** Milliseconds for the hub to answer: it may have to look at many subscriptions. */
const timeout = 60_000;

/** One request to the operators' API. Throws `HubUnreachable` and `OperationDenied`. */
export async function askOperatorsApi<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  A extends z.ZodType,
>(
  { url, token, signal }: OperatorAccess,
  { method, path, answer }: Endpoint<P, Q, B, A>,
  { params, query, body }: Given<z.input<P>, z.input<Q>, z.input<B>> = {},
): Promise<z.output<A>> {
  const target = targetOf(url, path, entriesOf(params), entriesOf(query));
  const { status, text } = await send(target, {
    method,
    token,
    signal,
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (status >= 300) throw new OperationDenied(parseProblem(status, text));
  const read = answer.safeParse(jsonOf(text));
  if (read.success) return read.data;
  throw new HubUnreachable(`${url} answered ${status}, but not as the operators' API of this version does.`);
}

function targetOf(url: string, path: string, params: readonly Entry[], query: readonly Entry[]): URL {
  const filled = params.reduce(
    (filled, [name, value]) => filled.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  );
  const target = new URL(`${url.replace(/\/+$/, "")}/api/v1${filled}`);
  for (const [name, value] of query) target.searchParams.set(name, value);
  return target;
}

type Entry = readonly [name: string, value: string];

const entriesOf = (values: unknown): Entry[] =>
  Object.entries(values ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  );

interface Sent {
  readonly method: Endpoint["method"];
  readonly token: string;
  readonly body: string | undefined;
  readonly signal: AbortSignal | undefined;
}

async function send(target: URL, sent: Sent): Promise<{ status: number; text: string }> {
  const { method, token, body, signal } = sent;
  try {
    const { statusCode, body: answered } = await request(target, {
      method: methods[method],
      headers: {
        authorization: `Bearer ${token}`,
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      body: body ?? null,
      headersTimeout: timeout,
      bodyTimeout: timeout,
      signal: signal ?? null,
    });
    return { status: statusCode, text: await answered.text() };
  } catch (error) {
    if (signal?.aborted === true || !(error instanceof Error)) throw error;
    throw new HubUnreachable(`The hub could not be reached at ${target.origin}: ${error.message}`, {
      cause: error,
    });
  }
}

const methods = { get: "GET", post: "POST", patch: "PATCH", delete: "DELETE" } as const;

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
