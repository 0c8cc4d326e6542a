import { createServer, type IncomingMessage, type Server } from "node:http";
import { type Duplex } from "node:stream";
import type { LiveChannels } from "../live/live-channels.ts";
import { refuseUpgrade } from "../live/refuse-upgrade.ts";
import type { Events } from "../observability/events.ts";
import { type AppParts, createApp } from "./app.ts";
import { problemOf, sendProblem } from "./problem.ts";
import { noSuchChannel } from "./publish-routes.ts";

interface Parts extends AppParts {
  readonly live: LiveChannels;
  readonly events: Pick<Events, "refused" | "unexpected">;
}

const channelPath = /^\/sets\/([^/?#]+)\/([^/?#]+)(?:\?|$)/;
const documentPath = /\.xml(?:\?|$)/;

/**
 * The one place where requests are dispatched. Publishing does not go through express, whose routing costs more than the
 * durable write. A path below the base URL's own path is taken with or without that prefix, as proxies pass either.
 */
export function createHubServer(parts: Parts): Server {
  const { channels, publish, live, events } = parts;
  const app = createApp(parts);
  const prefix = new URL(channels.baseUrl).pathname.replace(/\/$/, "");
  const withoutPrefix = (url: string): string =>
    prefix !== "" && url.startsWith(`${prefix}/`) ? url.slice(prefix.length) : url;

  const server = createServer((request, response) => {
    request.url = withoutPrefix(request.url ?? "/");
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
    socket.on("error", () => socket.destroy());
    const [, set = "", kind = ""] = channelPath.exec(withoutPrefix(request.url ?? "")) ?? [];
    const channel = channels.find(set, kind);
    if (channel === undefined) refuseUpgrade(socket, 404, noSuchChannel(`${set}/${kind}`, channels).message);
    else live.acceptWebSocket(channel, request, socket, head);
  });
  server.headersTimeout = 15_000;
  server.requestTimeout = 60_000;
  return server;
}
