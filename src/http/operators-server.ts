import express from "express";
import type { Events } from "../observability/events.ts";
import { type AdmissionLimits, createAdmission } from "./admission.ts";
import { answerProblems } from "./answer-problem.ts";
import type { AppParts } from "./app.ts";
import { healthRoutes } from "./health-routes.ts";
import { only } from "./only.ts";
import { RequestError } from "./problem.ts";
import { createHttpServer, type HubServer } from "./secure-server.ts";
import { pageHeaders, securityHeaders } from "./security-headers.ts";
import type { TlsFiles } from "./tls-files.ts";

interface Parts extends AppParts {
  readonly events: AppParts["events"] & Pick<Events, "limited">;
  readonly limits: AppParts["limits"] & AdmissionLimits;
  readonly isProxy: (address: string) => boolean;
  readonly now: () => number;
}

/**
 * What operators have on an address of their own (`admin.listen`), and what then is nowhere else. It counts its clients apart from
 * those of the public address, so that no flood there keeps operators out.
 */
export function createOperatorsServer(parts: Parts, tls: TlsFiles | undefined): HubServer {
  const admission = createAdmission(parts);
  const health = healthRoutes(parts);
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.use(pageHeaders);
  app.use("/api/v1", parts.operators);
  app.route("/livez").get(health.live).all(only("GET"));
  app.route("/readyz").get(health.ready).all(only("GET"));
  app.route("/metrics").get(health.allMetrics).all(only("GET"));
  app.use((request) => {
    throw new RequestError(
      404,
      `There is nothing at ${request.path} on the operators' address, which has /api/v1, /metrics, /livez and /readyz.`,
    );
  });
  app.use(answerProblems(parts));
  const headers = securityHeaders(parts.channels.baseUrl);
  const server = createHttpServer(tls, (request, response) => {
    if (admission.turnsAway(request, response)) return;
    headers(request, response);
    if (admission.admits(request, response)) app(request, response);
  });
  admission.watch(server);
  return server;
}
