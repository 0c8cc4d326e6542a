import { createServer, type IncomingMessage, type Server } from "node:http";
import { type Duplex } from "node:stream";
import type { LiveChannels } from "../live/live-channels.ts";
import { refuseUpgrade } from "../live/refuse-upgrade.ts";
import type { Events } from "../observability/events.ts";
import { type AppParts, createApp } from "./app.ts";
import { asksForWebSocket, goOnWithoutUpgrade } from "./declined-upgrade.ts";
import { problemOf, sendProblem } from "./problem.ts";
import { noSuchChannel } from "./publish-routes.ts";
import { targetsBelow } from "./request-target.ts";

interface Parts extends AppParts {
  readonly live: LiveChannels;
  readonly events: Pick<Events, "refused" | "unexpected">;
}

/** Express takes a slash at the end as well. */
const channelPath = /^\/sets\/([^/?#]+)\/([^/?#]+)\/?(?:\?|$)/;
/** Of a path without its query. */
const documentPath = /^[^?]*\.xml\/?(?:\?|$)/;

/**
 * The one place where requests are dispatched. Publishing does not go through express, whose routing costs more than the
 * durable write.
 */
export function createHubServer(parts: Parts): Server {
  const { channels, publish, live, events } = parts;
  const app = createApp(parts);
  const targetOf = targetsBelow(channels.baseUrl);

  const server = createServer((request, response) => {
    request.url = targetOf(request.url ?? "/");
    const match = request.method === "POST" ? channelPath.exec(request.url) : null;
    if (match === null || documentPath.test(request.url)) {
      app(request, response);
      return;
    }
    response.setHeader("X-Content-Type-Options", "nosniff");
    const [, set = "", kind = ""] = match;
    publish.toChannel(request, response, set, kind).catch((error: unknown) => {
      const problem = problemOf(error);
      const path = channelPath.exec(request.url ?? "")?.[0] ?? "";
      if (problem.status === 500) events.unexpected({ where: `POST ${path}`, error });
      // The rest of a body that is refused is let run out, so that the sender reads the answer and not a reset.
      request.resume();
      sendProblem(response, problem);
    });
  });

  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!asksForWebSocket(request)) {
      goOnWithoutUpgrade(server, request, socket, head);
      return;
    }
    socket.on("error", () => socket.destroy());
    const [path = ""] = targetOf(request.url ?? "").split("?");
    const [, set = "", kind = ""] = channelPath.exec(path) ?? [];
    const channel = channels.find(set, kind);
    if (channel === undefined) refuseUpgrade(socket, 404, noSuchChannel(path, channels).message);
    else live.acceptWebSocket(channel, request, socket, head);
  });
  server.headersTimeout = 15_000;
  server.requestTimeout = 60_000;
  return server;
}
