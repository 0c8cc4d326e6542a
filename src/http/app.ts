import express, { type Express, type RequestHandler, type Router } from "express";
import { type Channels, publicSets } from "../channels/registry.ts";
import { frontPagePolicy, writeFrontPage } from "../dashboard/front-page.ts";
import type { ChangeLists } from "../discovery/change-lists.ts";
import type { LiveChannels } from "../live/live-channels.ts";
import type { NotificationLog } from "../log/notification-log.ts";
import type { Events } from "../observability/events.ts";
import type { Metrics } from "../observability/metrics.ts";
import { formatLinkHeader } from "../protocol/link-header.ts";
import { answerProblems, tellOfRefusal } from "./answer-problem.ts";
import { changeListRoutes } from "./change-list-routes.ts";
import { discoveryRoutes } from "./discovery-routes.ts";
import { healthRoutes } from "./health-routes.ts";
import { RequestError } from "./problem.ts";
import type { PublishRoutes } from "./publish-routes.ts";
import type { ClientOf } from "./client-of.ts";
import type { Cors } from "./cors.ts";
import { only } from "./only.ts";
import type { ReaderPermits } from "./reader-permits.ts";
import { resourceListRoutes } from "./resource-list-routes.ts";
import { robotsRoute } from "./robots-route.ts";
import { pageHeaders } from "./security-headers.ts";
import type { SetAccess } from "./set-access.ts";
import type { AuthoriseOperator } from "../operations/authorise-operator.ts";
import type { AuthorisePublisher } from "../publish/authorise.ts";
import type { ResourceLists } from "../resources/resource-lists.ts";
import type { AcceptSubscriptionRequest } from "../subscriptions/accept-request.ts";
import type { AcceptPing } from "../topics/accept-ping.ts";
import type { ValidateRoute } from "./validate-route.ts";
import { websubRoute } from "./websub-route.ts";

export interface AppParts {
  readonly channels: Channels;
  /** A document about the whole Source. */
  readonly describedBy: string | undefined;
  readonly publish: PublishRoutes;
  readonly authorise: AuthorisePublisher;
  readonly subscribe: AcceptSubscriptionRequest;
  readonly ping: AcceptPing;
  readonly validate: ValidateRoute;
  readonly resourceLists: ResourceLists;
  readonly limits: { readonly resourceListBytes: number };
  readonly live: Pick<LiveChannels, "acceptEventStream">;
  readonly log: Pick<NotificationLog, "bounds" | "read" | "probe">;
  readonly changeLists: ChangeLists;
  readonly operators: Router;
  /** Whether operators have an address of their own, so that there is nothing for them here. */
  readonly operatorsApart: boolean;
  readonly metrics: Pick<Metrics, "registry">;
  readonly events: Pick<Events, "unexpected" | "accessRefused">;
  readonly clientOf: ClientOf;
  readonly setAccess: SetAccess;
  readonly permits: ReaderPermits;
  readonly cors: Cors;
  readonly operate: AuthoriseOperator;
  readonly isStopping: () => boolean;
}

/**
 * Every path of the hub but the publishing POST to a channel, which is taken before it comes here (hub-server.ts); so is what
 * goes with every answer.
 */
export function createApp(parts: AppParts): Express {
  const { channels, publish } = parts;
  const discovery = discoveryRoutes(parts);
  const { resourceLists, limits } = parts;
  const resourceList = resourceListRoutes({ ...parts, maxBytes: limits.resourceListBytes });
  const changeLists = changeListRoutes(parts);
  const health = healthRoutes(parts);
  const websub = websubRoute({ ...parts, toHub: publish.toHub, tell: tellOfRefusal(parts) });
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.use(pageHeaders);
  app.use(["/sets", "/.well-known"], parts.cors.headers);
  app.use("/sets/:set", parts.setAccess.guard);

  app.route("/").get(frontPage(channels)).all(only("GET"));
  app.route("/.well-known/resourcesync").get(discovery.sourceDescription).all(only("GET"));
  app.route("/sets/:set/capabilitylist.xml").get(discovery.capabilityList).all(only("GET"));
  app.route("/sets/:set/resourcelist.xml").get(resourceList.get).put(resourceList.put).all(only("GET, PUT"));
  app.route("/sets/:set/resourcelists/:list").get(resourceList.part).all(only("GET"));
  app
    .route("/robots.txt")
    .get(robotsRoute(publicSets(channels), resourceLists))
    .all(only("GET"));
  app.route("/sets/:set/changelist.xml").get(changeLists.top).all(only("GET"));
  app.route("/sets/:set/changelist-archive.xml").get(changeLists.archive).all(only("GET"));
  app.route("/sets/:set/changelists/:file").get(changeLists.list).all(only("GET"));
  app.route("/sets/:set/:kind").get(discovery.topic).all(only("GET, POST"));
  app.route("/websub").post(websub).all(only("POST"));
  app
    .route("/validate")
    .post((request, _response, next) => {
      parts.cors.refuseOthers(request);
      next();
    }, parts.validate)
    .all(only("POST"));
  app.route("/livez").get(health.live).all(only("GET"));
  app.route("/readyz").get(health.ready).all(only("GET"));
  if (!parts.operatorsApart) {
    app.use("/api/v1", parts.operators);
    app.route("/metrics").get(health.metrics).all(only("GET"));
  }

  app.use((request) => {
    throw new RequestError(
      404,
      `There is nothing at ${request.path}. ${channels.sourceDescriptionUrl} names what this hub has.`,
    );
  });
  app.use(answerProblems(parts));
  return app;
}

function frontPage(channels: Channels): RequestHandler {
  const sets = publicSets(channels);
  const page = writeFrontPage({ ...channels, sets });
  // The target of rel="resourcesync" is a Capability List (core 1.1 §6.3.3).
  const link = formatLinkHeader(
    sets.map(({ capabilityListUrl }) => ({ href: capabilityListUrl, rel: "resourcesync" })),
  );
  return (_request, response) => {
    response.setHeader("Content-Security-Policy", frontPagePolicy);
    response.setHeader("Link", link);
    response.type("html").send(page);
  };
}
