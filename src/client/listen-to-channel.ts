import { setTimeout as pause } from "node:timers/promises";
import { type LiveMessage, positionAfter } from "../protocol/live-messages.ts";
import { backoff } from "./backoff.ts";
import { authorizationOf, type TokenSource } from "./token-source.ts";
import { ListenRefused, liveConnection } from "./live-connection.ts";

/** How the connection does; for logs and people. */
export type ListenState =
  | { readonly kind: "connecting" }
  | { readonly kind: "connected" }
  /** The connection ended or could not be made; the next attempt comes after so many milliseconds. */
  | { readonly kind: "waiting"; readonly reason: string; readonly milliseconds: number };

export interface ListenOptions {
  /** A position, a W3C Datetime, `earliest`, or (the default) `latest`. */
  readonly after?: string | undefined;
  /** Ends the listening, without an error. */
  readonly signal?: AbortSignal | undefined;
  /** Of a subscriber, for the channel of a private set. Asked for anew at each connection. */
  readonly token?: TokenSource | undefined;
  readonly onState?: ((state: ListenState) => void) | undefined;
}

const pauses = { first: 500, longest: 30_000 };

/**
 * Everything that a channel brings after `after`, for as long as the caller pulls: notifications in order, `caught-up` when
 * all that the log held has come, `gap` where the log no longer holds what was asked for. It reconnects by itself and
 * resumes after the last message that it gave, so nothing is missed or repeated. The first pull connects.
 *
 * `url` is the channel's, with http(s) or ws(s). Throws `ListenRefused` where the hub says that trying again cannot help.
 */
export async function* listenToChannel(
  url: string | URL,
  { after, signal, token, onState = () => {} }: ListenOptions = {},
): AsyncGenerator<LiveMessage, void, undefined> {
  let from = after;
  let failures = 0;
  const isStopped = (): boolean => signal?.aborted === true;
  while (!isStopped()) {
    onState({ kind: "connecting" });
    const connection = liveConnection(socketUrl(url, from), {
      headers: await authorizationOf(token),
      signal,
      onOpen: () => onState({ kind: "connected" }),
    });
    let reason: string;
    try {
      for (;;) {
        const next = await connection.next();
        if (next.done === true) {
          reason = next.value;
          break;
        }
        failures = 0;
        from = positionAfter(next.value);
        yield next.value;
      }
    } catch (error) {
      if (error instanceof ListenRefused && !error.mayRetry) throw error;
      reason = error instanceof Error ? error.message || error.name : String(error);
    } finally {
      // Also where the caller stopped at a message.
      await connection.return("stopped");
    }
    if (isStopped()) return;
    failures += 1;
    const milliseconds = backoff(failures, pauses, Math.random());
    onState({ kind: "waiting", reason, milliseconds });
    await pause(milliseconds, undefined, { signal }).catch(() => {});
  }
}

function socketUrl(channel: string | URL, after: string | undefined): URL {
  const url = new URL(channel);
  url.protocol = url.protocol.replace(/^http/, "ws");
  if (after !== undefined) url.searchParams.set("after", after);
  return url;
}
