import { createServer, type IncomingMessage, type Server } from "node:http";
import { type Duplex } from "node:stream";
import type { LiveChannels } from "../live/live-channels.ts";
import { refuseUpgrade } from "../live/refuse-upgrade.ts";
import type { Events } from "../observability/events.ts";
import { type AdmissionLimits, createAdmission } from "./admission.ts";
import { type AppParts, createApp } from "./app.ts";
import { asksForWebSocket, goOnWithoutUpgrade } from "./declined-upgrade.ts";
import { letRunOut } from "./let-run-out.ts";
import { problemOf, sendProblem } from "./problem.ts";
import { noSuchChannel } from "./publish-routes.ts";
import { requestTimes } from "./request-times.ts";
import { targetsBelow } from "./request-target.ts";

interface Parts extends AppParts {
  readonly live: LiveChannels;
  readonly events: Pick<Events, "refused" | "unexpected" | "limited">;
  readonly limits: AppParts["limits"] & AdmissionLimits;
  readonly now: () => number;
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
  const admission = createAdmission(parts);
  const app = createApp(parts);
  const targetOf = targetsBelow(channels.baseUrl);

  const server = createServer(requestTimes, (request, response) => {
    if (admission.isRefused(request)) return void response.destroy();
    request.url = targetOf(request.url ?? "/");
    const match = request.method === "POST" ? channelPath.exec(request.url) : null;
    if (match === null || documentPath.test(request.url)) {
      if (admission.admits(request, response)) app(request, response);
      return;
    }
    response.setHeader("X-Content-Type-Options", "nosniff");
    const [, set = "", kind = ""] = match;
    publish.toChannel(request, response, set, kind).catch((error: unknown) => {
      const problem = admission.afterRefusal(request, problemOf(error));
      const path = channelPath.exec(request.url ?? "")?.[0] ?? "";
      if (problem.status === 500) events.unexpected({ where: `POST ${path}`, error });
      letRunOut(request);
      sendProblem(response, problem);
    });
  });

  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!asksForWebSocket(request)) {
      goOnWithoutUpgrade(server, request, socket, head);
      return;
    }
    socket.on("error", () => socket.destroy());
    if (admission.isRefused(request) || !admission.admitsUpgrade(request, socket)) return;
    const [path = ""] = targetOf(request.url ?? "").split("?");
    const [, set = "", kind = ""] = channelPath.exec(path) ?? [];
    const channel = channels.find(set, kind);
    if (channel === undefined) refuseUpgrade(socket, 404, noSuchChannel(path, channels).message);
    else live.acceptWebSocket(channel, request, socket, head);
  });
  admission.watch(server);
  return server;
}
