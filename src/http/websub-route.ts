import type { IncomingMessage, ServerResponse } from "node:http";
import type { Channels } from "../channels/registry.ts";
import { type AcceptSubscriptionRequest, unknownTopic } from "../subscriptions/accept-request.ts";
import type { AcceptPing } from "../topics/accept-ping.ts";
import { parseHubForm } from "../protocol/websub.ts";
import type { TellOfRefusal } from "./answer-problem.ts";
import type { Cors } from "./cors.ts";
import { problemOf, RequestError } from "./problem.ts";
import { charsetOf, mediaTypeOf, readBody } from "./request-body.ts";
import type { SetAccess } from "./set-access.ts";

interface Parts {
  readonly channels: Pick<Channels, "byTopic">;
  readonly setAccess: Pick<SetAccess, "sight">;
  readonly subscribe: AcceptSubscriptionRequest;
  readonly ping: AcceptPing;
  readonly toHub: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  readonly cors: Pick<Cors, "refuseOthers">;
  readonly tell: TellOfRefusal;
}

const maxFormBytes = 16 * 1024;

const statusOfRefusedPing = { "too-many": 400, unknown: 404, "not-fetched": 403 } as const;

/** POST to the hub URL: a form is for WebSub, XML is a Source's notification; the media type tells them apart. */
export function websubRoute({ channels, setAccess, subscribe, ping, toHub, cors, tell }: Parts) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (mediaTypeOf(request) === "application/xml") {
      await toHub(request, response);
      return;
    }
    try {
      cors.refuseOthers(request);
      requireForm(request);
      const body = await readBody(request, maxFormBytes, "A request to subscribe has a few hundred.");
      await handleForm(body, request, response);
    } catch (error) {
      const { status, detail, headers = {} } = problemOf(error);
      if (status === 500) throw error;
      tell("POST /websub", request, error, { status });
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      sendText(response, status, detail);
    }
  };

  async function handleForm(body: Buffer, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = parseHubForm(body);
    if (form.kind === "faults") {
      sendText(response, 400, form.faults.join("\n"));
      return;
    }
    const { sees, authorityFor, refusal } = await setAccess.sight(request);
    if (form.kind === "publish") {
      const answer = await ping(form.topics, sees);
      if (answer.kind === "taken") sendText(response, 202, "The hub fetches what has changed.");
      else if (answer.because === "unknown" && refusal !== undefined) throw refusal;
      else sendText(response, statusOfRefusedPing[answer.because], answer.reason);
      return;
    }
    const channel = channels.byTopic(form.topic);
    const set = channel && { id: channel.set, isPrivate: channel.isPrivate };
    const isHidden = set !== undefined && !sees(set);
    const answer = isHidden ? unknownTopic(form.topic) : await subscribe(form, set && authorityFor(set));
    if (answer.kind === "unknown-topic" && refusal !== undefined) throw refusal;
    switch (answer.kind) {
      case "accepted":
        sendText(response, 202, `The hub will verify this at the callback (WebSub §5.3).`);
        return;
      case "unknown-topic":
        sendText(response, 404, answer.reason);
        return;
      case "callback-not-allowed":
        sendText(response, 403, answer.reason);
        return;
      case "too-busy":
        response.setHeader("Retry-After", String(answer.retryAfter));
        sendText(response, 429, answer.reason);
        return;
    }
  }
}

/** A form in another encoding would be read as other text than was meant (WebSub §5.1: UTF-8). */
function requireForm(request: IncomingMessage): void {
  if (mediaTypeOf(request) !== "application/x-www-form-urlencoded") {
    throw new RequestError(
      415,
      "The hub takes application/x-www-form-urlencoded (WebSub: hub.mode, hub.topic, hub.callback) and application/xml (a notification with Link headers).",
    );
  }
  const charset = charsetOf(request);
  if (charset !== undefined && !/^(utf-?8|us-ascii)$/i.test(charset)) {
    throw new RequestError(
      415,
      `A request to the hub is a form in UTF-8; this one says charset=${charset.slice(0, 40)} (WebSub §5.1).`,
    );
  }
}

/** Errors of a subscription request are plain text (WebSub §5.1.2). */
function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8" });
  response.end(`${text}\n`);
}
