import { request } from "undici";
import { authorizationOf, type TokenSource } from "./token-source.ts";
import { type Attempt, mayPass, retryAfterOf, untilDecided } from "./until-decided.ts";

/** What a hub says to a request at once. To subscribe is not yet to be subscribed: the hub asks at the callback first. */
export type HubAnswer =
  | { readonly kind: "accepted" }
  /** The same request would be refused again. The reason is the hub's own text, or where it sent the request. */
  | { readonly kind: "refused"; readonly status: number; readonly reason: string };

export interface HubRequestOptions {
  /** How often it is sent at most while the hub cannot be reached or is busy; 5 unless it is set. */
  readonly attempts?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** A subscriber's or a publisher's, for topics of private sets. */
  readonly token?: TokenSource | undefined;
}

const maxAnswerBytes = 16 * 1024;
const maxReason = 1000;
const maxRedirects = 3;

/** Sends a form of WebSub, and follows 307 and 308 to another hub (§5.1.2). Throws `HubUnreachable`. */
export async function postHubForm(
  hub: string | URL,
  fields: readonly [name: string, value: string][],
  { attempts = 5, signal, token }: HubRequestOptions,
): Promise<HubAnswer> {
  const form = new URLSearchParams([...fields]).toString();
  return untilDecided(hub, { attempts, signal }, async () =>
    send(String(hub), { form, signal, authorization: await authorizationOf(token) }),
  );
}

const decided = (outcome: HubAnswer): Attempt<HubAnswer> => ({ kind: "decided", outcome });

interface Sent {
  readonly form: string;
  readonly signal: AbortSignal | undefined;
  readonly authorization: Readonly<Record<string, string>>;
}

async function send(hub: string, sent: Sent, redirects = 0): Promise<Attempt<HubAnswer>> {
  const { form, signal, authorization } = sent;
  try {
    const { statusCode, headers, body } = await request(hub, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", ...authorization },
      body: form,
      headersTimeout: 30_000,
      bodyTimeout: 30_000,
      signal: signal ?? null,
    });
    const reason = textOf(await readUpTo(body, maxAnswerBytes));
    if (statusCode === 307 || statusCode === 308) {
      const next = redirectOf(hub, headers["location"]);
      if (next !== undefined && redirects < maxRedirects)
        return await send(next, sentOn(hub, next, sent), redirects + 1);
      return decided({
        kind: "refused",
        status: statusCode,
        reason: "It redirects where no request can follow.",
      });
    }
    if (mayPass(statusCode)) {
      const error = new Error(`${statusCode}. ${reason}`.trim());
      return { kind: "again", error, retryAfter: retryAfterOf(headers["retry-after"]) };
    }
    if (statusCode >= 200 && statusCode <= 299) return decided({ kind: "accepted" });
    return decided({ kind: "refused", status: statusCode, reason });
  } catch (error) {
    if (signal?.aborted === true || !(error instanceof Error)) throw error;
    return { kind: "again", error, retryAfter: 0 };
  }
}

/** A token is for the server that it was given for, whoever it redirects to. */
function sentOn(from: string, to: string, sent: Sent): Sent {
  return new URL(from).origin === new URL(to).origin ? sent : { ...sent, authorization: {} };
}

/** A secret that was sent over https is never sent on without it. */
function redirectOf(from: string, location: string | string[] | undefined): string | undefined {
  if (typeof location !== "string" || !URL.canParse(location, from)) return undefined;
  const { protocol, href } = new URL(location, from);
  return protocol === "https:" || (protocol === "http:" && !from.startsWith("https:")) ? href : undefined;
}

async function readUpTo(body: AsyncIterable<Uint8Array>, bytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.byteLength;
    if (length >= bytes) break;
  }
  return Buffer.concat(chunks).subarray(0, bytes);
}

const textOf = (bytes: Buffer): string => bytes.toString("utf8").trim().slice(0, maxReason);
