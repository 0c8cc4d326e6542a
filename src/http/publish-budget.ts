import type { IncomingMessage, ServerResponse } from "node:http";
import type { Events } from "../observability/events.ts";
import { RequestError } from "./problem.ts";
import { createRateLimit, type RateLimit } from "./rate-limit.ts";

interface Parts {
  readonly limits: {
    readonly notificationBytes: number;
    /** Of one publisher; 0 sets no limit. */
    readonly publishesPerMinute: number;
    /** Of all publications that are being taken. */
    readonly bodiesBytes: number;
  };
  readonly events: Pick<Events, "limited">;
  readonly now: () => number;
}

/** Throws 429 where the publisher sends too often, 503 where there is no room for its body. The room is free once it is answered. */
export type EnterPublication = (
  publisher: string,
  request: IncomingMessage,
  response: ServerResponse,
) => void;

/** Shorter bodies are bounded by the number of connections. */
const smallBody = 65_536;

/** What those may take who have a token: a publisher whose program has run wild must not take the hub with it. */
export function createPublishBudget({ limits, events, now }: Parts): EnterPublication {
  const { notificationBytes, publishesPerMinute, bodiesBytes } = limits;
  const waitOf: RateLimit = publishesPerMinute === 0 ? () => 0 : createRateLimit(publishesPerMinute, now);
  let held = 0;

  return (publisher, request, response) => {
    const wait = waitOf(publisher);
    if (wait > 0) {
      events.limited({ limit: "publications", client: publisher });
      throw new RequestError(
        429,
        `The publisher ${publisher} may send ${publishesPerMinute} notifications a minute (limits.publishesPerMinute). Send this one again in ${wait} s.`,
        { headers: { "Retry-After": String(wait) } },
      );
    }
    const { "content-length": length, "transfer-encoding": encoding } = request.headers;
    // A body in chunks does not say how long it becomes.
    const bytes = encoding === undefined ? Number(length ?? 0) : notificationBytes;
    if (bytes <= smallBody || bytes > notificationBytes) return;
    if (held > 0 && held + bytes > bodiesBytes) {
      events.limited({ limit: "bodies", client: publisher });
      throw new RequestError(
        503,
        `The hub holds ${held} bytes of other publications, and has no room for this one now (limits.bodiesBytes). Send it again in a second.`,
        { headers: { "Retry-After": "1" } },
      );
    }
    // Its sender can have gone while its token was looked at: then nothing would tell that the room is free again.
    if (response.destroyed) return;
    held += bytes;
    response.once("close", () => (held -= bytes));
  };
}
