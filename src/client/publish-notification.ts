import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { request } from "undici";
import { backoff } from "./backoff.ts";
import { type Acceptance, parseAcceptance, parseProblem, type Problem } from "./problem.ts";

export interface PublishOptions {
  /** A publisher's token. */
  readonly token: string;
  /** Names this notification, so that sending it again never publishes it twice; made up when it is not given. */
  readonly idempotencyKey?: string;
  /** How often it is sent at most while the hub cannot be reached or its storage is away. */
  readonly attempts?: number;
  readonly signal?: AbortSignal;
}

export type PublishOutcome =
  /** It is in the hub's log, and will be there after a crash. */
  | ({ readonly kind: "accepted" } & Acceptance)
  /** Nothing was published; the same request would be refused again. */
  | { readonly kind: "refused"; readonly problem: Problem };

/** No answer that decides came back. The notification may or may not be in the log: send it again with the same key. */
export class HubUnreachable extends Error {
  override name = "HubUnreachable";
  readonly mayRetry = true;
}

/** What answers at that URL is not a channel of this hub. */
export class NotAChannel extends Error {
  override name = "NotAChannel";
  readonly mayRetry = false;
}

const pauses = { first: 500, longest: 10_000 };
const longestRetryAfter = 30_000;
/** Answers after which the same request can succeed: the hub's or a proxy's. */
const passing = new Set([429, 502, 503, 504]);

type Attempt =
  PublishOutcome | { readonly kind: "again"; readonly error: Error; readonly retryAfter: number };

/** Sends a notification to a channel. Throws `HubUnreachable` when every attempt failed, and `NotAChannel`. */
export async function publishNotification(
  url: string | URL,
  payload: string | Uint8Array,
  { token, idempotencyKey = randomUUID(), attempts = 5, signal }: PublishOptions,
): Promise<PublishOutcome> {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await send(url, payload, { token, idempotencyKey, signal });
    if (outcome.kind !== "again") return outcome;
    if (attempt >= attempts) {
      throw new HubUnreachable(
        `The hub could not be reached at ${String(url)} (${attempt} attempts): ${outcome.error.message}`,
        { cause: outcome.error },
      );
    }
    const wait = Math.max(backoff(attempt, pauses, Math.random()), outcome.retryAfter);
    await pause(wait, undefined, { signal });
  }
}

async function send(
  url: string | URL,
  payload: string | Uint8Array,
  {
    token,
    idempotencyKey,
    signal,
  }: { token: string; idempotencyKey: string; signal: AbortSignal | undefined },
): Promise<Attempt> {
  try {
    const { statusCode, headers, body } = await request(url, {
      method: "POST",
      headers: {
        "content-type": "application/xml",
        authorization: `Bearer ${token}`,
        "idempotency-key": idempotencyKey,
      },
      body: payload,
      headersTimeout: 60_000,
      bodyTimeout: 60_000,
      signal: signal ?? null,
    });
    const text = await body.text();
    if (passing.has(statusCode)) {
      const { detail } = parseProblem(statusCode, text);
      return {
        kind: "again",
        error: new Error(`${statusCode}. ${detail}`),
        retryAfter: retryAfterOf(headers["retry-after"]),
      };
    }
    if (statusCode >= 300) return { kind: "refused", problem: parseProblem(statusCode, text) };
    const acceptance = parseAcceptance(text);
    if (acceptance === undefined) {
      throw new NotAChannel(
        `${String(url)} answered ${statusCode}, but not as a channel of resourcesync-hub does.`,
      );
    }
    return { kind: "accepted", ...acceptance };
  } catch (error) {
    if (signal?.aborted === true || error instanceof NotAChannel || !(error instanceof Error)) throw error;
    return { kind: "again", error, retryAfter: 0 };
  }
}

/** Milliseconds; the form with a date is not used by hubs that are merely busy. */
function retryAfterOf(header: string | string[] | undefined): number {
  const seconds = Number(header);
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0) * 1000, longestRetryAfter) : 0;
}
