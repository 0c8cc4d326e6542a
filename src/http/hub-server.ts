import type { IncomingMessage } from "node:http";
import { type Duplex } from "node:stream";
import type { LiveChannels } from "../live/live-channels.ts";
import type { Events } from "../observability/events.ts";
import { type AdmissionLimits, createAdmission } from "./admission.ts";
import { type AppParts, createApp } from "./app.ts";
import { tellOfRefusal } from "./answer-problem.ts";
import { asksForWebSocket, goOnWithoutUpgrade } from "./declined-upgrade.ts";
import { letRunOut } from "./let-run-out.ts";
import { problemOf, sendProblem } from "./problem.ts";
import { targetsBelow } from "./request-target.ts";
import { createHttpServer, type HubServer } from "./secure-server.ts";
import { securityHeaders } from "./security-headers.ts";
import type { TlsFiles } from "./tls-files.ts";
import { upgradeRoute } from "./upgrade-route.ts";

interface Parts extends AppParts {
  readonly live: LiveChannels;
  readonly events: Pick<Events, "refused" | "unexpected" | "accessRefused" | "limited">;
  readonly limits: AppParts["limits"] & AdmissionLimits;
  readonly isProxy: (address: string) => boolean;
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
export function createHubServer(parts: Parts, tls: TlsFiles | undefined): HubServer {
  const { channels, publish } = parts;
  const admission = createAdmission(parts);
  const tell = tellOfRefusal(parts);
  const upgrade = upgradeRoute({ ...parts, tell });
  const app = createApp(parts);
  const headers = securityHeaders(channels.baseUrl);
  const targetOf = targetsBelow(channels.baseUrl);

  const server = createHttpServer(tls, (request, response) => {
    if (admission.turnsAway(request, response)) return;
    headers(request, response);
    request.url = targetOf(request.url ?? "/");
    const match = request.method === "POST" ? channelPath.exec(request.url) : null;
    if (match === null || documentPath.test(request.url)) {
      if (admission.admits(request, response)) app(request, response);
      return;
    }
    const [, set = "", kind = ""] = match;
    publish.toChannel(request, response, set, kind).catch((error: unknown) => {
      const problem = admission.afterRefusal(request, problemOf(error));
      const path = channelPath.exec(request.url ?? "")?.[0] ?? "";
      tell(`POST ${path}`, request, error, problem);
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
    upgrade(request, socket, head, path);
  });
  admission.watch(server);
  return server;
}
