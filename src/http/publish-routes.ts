import type { IncomingMessage, ServerResponse } from "node:http";
import type { Channel, ChannelId } from "../channels/channel.ts";
import type { Channels } from "../channels/registry.ts";
import type { Events } from "../observability/events.ts";
import type { AcceptNotification, PublishAnswer, PublishOutcome } from "../publish/accept-notification.ts";
import type { AuthorisePublisher } from "../publish/authorise.ts";
import { parseLinkHeader } from "../protocol/link-header.ts";
import { comparableUrl } from "../protocol/websub.ts";
import { problemOf, RequestError } from "./problem.ts";
import type { EnterPublication } from "./publish-budget.ts";
import { readBody, requireXml } from "./request-body.ts";
import { requirePublisher } from "./require-publisher.ts";
import type { SetAccess } from "./set-access.ts";

interface Parts {
  readonly channels: Channels;
  readonly visible: SetAccess["visible"];
  readonly accept: AcceptNotification;
  readonly authorise: AuthorisePublisher;
  readonly maxBytes: number;
  readonly enter: EnterPublication;
  /** Resolves when the live readers of the channel have been written to, as far as that is about to happen. */
  readonly comeFirst: (channel: ChannelId) => Promise<void>;
  readonly events: Pick<Events, "refused">;
}

const maxIdempotencyKey = 255;
const splitIt = "Split a large change notification into a series with adjoining intervals.";

/** The two ways in which a Source sends a notification: to the channel itself, and to the hub (notification 1.0.1 §4.1). */
export function publishRoutes(parts: Parts) {
  const { channels, visible, accept, authorise, maxBytes, enter, comeFirst, events } = parts;
  return {
    /** POST to a channel: 202 with what became of it. */
    toChannel: async (request: IncomingMessage, response: ServerResponse, set: string, kind: string) => {
      const channel = await visible(request, channels.find(set, kind));
      if (channel === undefined) throw noSuchChannel(`${set}/${kind}`, channels);
      const answer = await publish(request, response, channel);
      sendJson(response, 202, answer);
    },

    /** POST of XML to the hub, with Link headers that name topic and hub: 200 (rules H03, H04, H07). */
    toHub: async (request: IncomingMessage, response: ServerResponse) => {
      requireXml(request);
      // A link with an anchor starts from another resource (RFC 8288 §3.2).
      const links = parseLinkHeader(request.headersDistinct["link"] ?? []).filter(
        ({ anchor }) => anchor === undefined,
      );
      const hrefsOf = (rel: string) => links.filter(({ rels }) => rels.includes(rel)).map(({ href }) => href);
      const [self, hubs] = [hrefsOf("self"), hrefsOf("hub")];
      const [topic] = self;
      if (topic === undefined || self.length > 1) {
        throw linkFault(
          `${self.length} links with rel="self"; exactly one must name the topic`,
          channels.hubUrl,
        );
      }
      if (!hubs.some((hub) => comparableUrl(hub) === comparableUrl(channels.hubUrl))) {
        throw linkFault(`no link with rel="hub" that names this hub, ${channels.hubUrl}`, channels.hubUrl);
      }
      const channel = await visible(request, channels.byTopic(topic));
      if (channel === undefined) throw noSuchChannel(topic, channels, 403);
      const answer = await publish(request, response, channel);
      sendJson(response, 200, answer);
    },
  };

  async function publish(
    request: IncomingMessage,
    response: ServerResponse,
    channel: Channel,
  ): Promise<PublishAnswer> {
    return take(request, response, channel).catch((error: unknown) => {
      const { status, detail } = problemOf(error);
      // Whoever answers tells of these, once, and only where the sender is not held back already.
      if (status !== 401 && status !== 403) events.refused({ channel: channel.id, status, reason: detail });
      throw error;
    });
  }

  async function take(
    request: IncomingMessage,
    response: ServerResponse,
    channel: Channel,
  ): Promise<PublishAnswer> {
    const publisher = await requirePublisher(authorise, request, channel.set);
    requireXml(request);
    enter(publisher, request, response);
    const idempotencyKey = readIdempotencyKey(request);
    const payload = await readBody(request, maxBytes, splitIt);
    const outcome = await accept({ channel, payload, publisher, idempotencyKey });
    // A publisher that waits for its answers runs ahead of the live readers by a page at most.
    await comeFirst(channel.id);
    return answerOf(outcome);
  }
}

export type PublishRoutes = ReturnType<typeof publishRoutes>;

function answerOf(outcome: PublishOutcome): PublishAnswer {
  switch (outcome.kind) {
    case "accepted":
      return outcome.answer;
    case "key-reused":
      throw new RequestError(
        422,
        `This Idempotency-Key came before with another document, which has the position ${outcome.first}. Use a new key for each document.`,
      );
    case "refused": {
      const errors = outcome.faults.filter(({ severity }) => severity === "error");
      const status = { unreadable: 400, "too-large": 413, "breaks-rules": 422 } as const;
      const first = errors[0] ?? outcome.faults[0];
      const where =
        first === undefined ? "" : ` The first, ${first.rule} at line ${first.line}: ${first.message}`;
      throw new RequestError(
        status[outcome.because],
        `The document breaks the rules in ${errors.length === 1 ? "one place" : "several places"}; nothing was published.${where}`,
        { faults: outcome.faults },
      );
    }
  }
}

function readIdempotencyKey(request: IncomingMessage): string | undefined {
  const key = request.headers["idempotency-key"];
  if (key === undefined) return undefined;
  if (typeof key !== "string" || key.length === 0 || key.length > maxIdempotencyKey) {
    throw new RequestError(400, `Idempotency-Key must have 1 to ${maxIdempotencyKey} characters.`);
  }
  return key;
}

function linkFault(what: string, hubUrl: string): RequestError {
  return new RequestError(
    400,
    `The Link header has ${what}. Send Link: <TOPIC>; rel="self", <${hubUrl}>; rel="hub" (Change Notification 1.0.1 §4.1).`,
  );
}

export function noSuchChannel(asked: string, channels: Channels, status: 403 | 404 = 404): RequestError {
  return new RequestError(
    status,
    `This hub has no channel ${asked}. Its channels are listed in the Capability Lists that ${channels.sourceDescriptionUrl} names.`,
  );
}

function sendJson(response: ServerResponse, status: number, body: PublishAnswer): void {
  const text = `${JSON.stringify(body)}\n`;
  // With its length, head and body leave in one write.
  const length = Buffer.byteLength(text);
  response.writeHead(status, { "Content-Type": "application/json", "Content-Length": length });
  response.end(text);
}
