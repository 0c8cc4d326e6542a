import { randomUUID } from "node:crypto";
import { request } from "undici";
import { type Acceptance, parseAcceptance, parseProblem, type Problem } from "./problem.ts";
import { type Attempt, mayPass, retryAfterOf, untilDecided } from "./until-decided.ts";

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

/** What answers at that URL is not a channel of this hub. */
export class NotAChannel extends Error {
  override name = "NotAChannel";
  readonly mayRetry = false;
}

/**
 * Sends a notification to a channel. Throws `NotAChannel`, and `HubUnreachable` when every attempt failed: then it
 * may or may not be in the log, and is to be sent again with the same key.
 */
export async function publishNotification(
  url: string | URL,
  payload: string | Uint8Array,
  { token, idempotencyKey = randomUUID(), attempts = 5, signal }: PublishOptions,
): Promise<PublishOutcome> {
  return untilDecided(url, { attempts, signal }, () => send(url, payload, { token, idempotencyKey, signal }));
}

const decided = (outcome: PublishOutcome): Attempt<PublishOutcome> => ({ kind: "decided", outcome });

async function send(
  url: string | URL,
  payload: string | Uint8Array,
  {
    token,
    idempotencyKey,
    signal,
  }: { token: string; idempotencyKey: string; signal: AbortSignal | undefined },
): Promise<Attempt<PublishOutcome>> {
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
    if (mayPass(statusCode)) {
      const { detail } = parseProblem(statusCode, text);
      return {
        kind: "again",
        error: new Error(`${statusCode}. ${detail}`),
        retryAfter: retryAfterOf(headers["retry-after"]),
      };
    }
    if (statusCode >= 300) return decided({ kind: "refused", problem: parseProblem(statusCode, text) });
    const acceptance = parseAcceptance(text);
    if (acceptance === undefined) {
      throw new NotAChannel(
        `${String(url)} answered ${statusCode}, but not as a channel of resourcesync-hub does.`,
      );
    }
    return decided({ kind: "accepted", ...acceptance });
  } catch (error) {
    if (signal?.aborted === true || error instanceof NotAChannel || !(error instanceof Error)) throw error;
    return { kind: "again", error, retryAfter: 0 };
  }
}
