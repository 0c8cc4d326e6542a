import type { Request, Response } from "express";
import { createGate, type Gate } from "../delivery/gate.ts";
import {
  asDocumentTypeName,
  type DocumentTypeName,
  documentTypeNames,
} from "../protocol/document-type-name.ts";
import { reportOf } from "../protocol/validation-report.ts";
import { validateDocument, type Validation, type ValidationOptions } from "../protocol/validate-document.ts";
import { networkOf } from "../security/address-table.ts";
import type { ClientOf } from "./client-of.ts";
import { letRunOut } from "./let-run-out.ts";
import { RequestError } from "./problem.ts";
import { createRateLimit } from "./rate-limit.ts";
import { readBody } from "./request-body.ts";
import { validateInThread } from "./validate-in-thread.ts";

interface Parts {
  /** Of one document. */
  readonly maxBytes: number;
  /** Of one client address. */
  readonly perMinute: number;
  readonly clientOf: ClientOf;
  readonly now: () => number;
}

export type ValidateRoute = (request: Request, response: Response) => Promise<void>;

/** Up to this many bytes a document is validated at once: 20 ms, or 100 where the code is still cold. */
const maxBytesAtOnce = 128 * 1024;
/** Documents that may be held in memory at the same time. */
const maxRequests = 8;
/** One of them can take 250 MB while it is read, if it is made of nothing but small elements. */
const maxThreads = 1;

const profiles = ["auto", "1.0.1", "1.0", "0.8", "lenient"] as const;
const advice = "resourcesync-hub validate takes up to 50 MB.";

function typeAsked(given: unknown): DocumentTypeName | undefined {
  if (given === undefined) return undefined;
  const name = typeof given === "string" ? asDocumentTypeName(given) : undefined;
  if (name === undefined) throw new RequestError(400, `as is one of ${documentTypeNames.join(", ")}.`);
  return name;
}

function profileAsked(given: unknown): ValidationOptions["profile"] {
  const profile = profiles.find((each) => each === (given ?? "auto"));
  if (profile === undefined) throw new RequestError(400, `profile is one of ${profiles.join(", ")}.`);
  return profile;
}

async function judgeApart(
  payload: Buffer,
  options: ValidationOptions,
  response: Response,
  threads: Gate,
): Promise<Validation> {
  const abandoned = new AbortController();
  if (response.destroyed) abandoned.abort();
  else response.once("close", () => abandoned.abort());
  await threads.enter();
  try {
    const outcome = await validateInThread({ payload, options }, abandoned.signal);
    if (outcome === "out-of-memory") {
      throw new RequestError(413, `The document needs more memory than the hub gives to one. ${advice}`);
    }
    if (outcome === "called-off")
      throw new RequestError(503, "The hub called the validation off. Try again.");
    return outcome;
  } finally {
    threads.leave();
  }
}

/** POST /validate: the body is a document, the answer what `validate --json` says about it. Nothing is kept. */
export function validateRoute({ maxBytes, perMinute, clientOf, now }: Parts): ValidateRoute {
  const rateLimit = createRateLimit(perMinute, now);
  const threads = createGate(maxThreads);
  let running = 0;

  async function answer(request: Request, response: Response): Promise<void> {
    const options = { as: typeAsked(request.query["as"]), profile: profileAsked(request.query["profile"]) };
    const payload = await readBody(request, maxBytes, advice);
    const validation =
      payload.byteLength <= maxBytesAtOnce
        ? validateDocument(payload, options)
        : await judgeApart(payload, options, response, threads);
    const report = reportOf("-", validation);
    response.setHeader("Content-Type", "application/json");
    response.setHeader("Cache-Control", "no-store");
    response.end(`${JSON.stringify(report)}\n`);
  }

  return async (request, response) => {
    const wait = rateLimit(networkOf(clientOf(request)));
    try {
      if (wait > 0) {
        throw new RequestError(
          429,
          `This hub validates ${perMinute} documents a minute for one client. Try again in ${wait} s, or run resourcesync-hub validate.`,
          { headers: { "Retry-After": String(wait) } },
        );
      }
      if (running >= maxRequests) {
        const says = "The hub is busy validating other documents. Try again in a moment.";
        throw new RequestError(503, says, { headers: { "Retry-After": "5" } });
      }
      running += 1;
      try {
        await answer(request, response);
      } finally {
        running -= 1;
      }
    } catch (error) {
      letRunOut(request);
      throw error;
    }
  };
}
