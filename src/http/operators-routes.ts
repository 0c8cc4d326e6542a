import { Router } from "express";
import type { AuthoriseOperator } from "../operations/authorise-operator.ts";
import {
  changeSubscription,
  endSubscription,
  listAttempts,
  pauseSubscription,
  replaySubscription,
  resumeSubscription,
  rewindSubscription,
  rotateSecret,
} from "../operations/schemas/changing-endpoints.ts";
import {
  dropDeadLetter,
  dropDeadLetters,
  getDeadLetter,
  listDeadLetters,
  resendDeadLetter,
  resendDeadLetters,
} from "../operations/schemas/dead-letter-endpoints.ts";
import { openApiDocument } from "../operations/openapi-document.ts";
import type { Operations } from "../operations/operations.ts";
import {
  describeApi,
  getSubscription,
  listChannels,
  listLinks,
  listSets,
  listSubscriptions,
} from "../operations/schemas/endpoints.ts";
import { listOrigins, listWatched } from "../operations/schemas/observed.ts";
import { type EndpointRoute, routesAt } from "./endpoint-route.ts";
import { only } from "./only.ts";
import { RequestError } from "./problem.ts";
import { requireOperator } from "./require-operator.ts";

type Route = ReturnType<typeof routesAt>;

interface Parts {
  readonly operations: Operations;
  readonly authorise: AuthoriseOperator;
  /** Of the hub; no slash at its end. */
  readonly baseUrl: string;
}

/** The operators' API, below `/api/v1`. */
export function operatorsRoutes({ operations, authorise, baseUrl }: Parts): Router {
  const apiUrl = `${baseUrl}/api/v1`;
  const routes = tableOf(operations, apiUrl);
  const endpoints = [describeApi, ...routes.map(({ endpoint }) => endpoint)];
  const description = `${JSON.stringify(openApiDocument(endpoints, apiUrl), undefined, 2)}\n`;
  const router = Router({ caseSensitive: true });
  router.use((_request, response, next) => {
    response.setHeader("Cache-Control", "no-store");
    next();
  });
  router
    .route(describeApi.path)
    .get((_request, response) => void response.type("json").end(description))
    .all(only("GET"));
  router.use(async (request, _response, next) => {
    await requireOperator(authorise, request);
    next();
  });
  for (const { path, methods } of byPath(routes)) {
    const route = router.route(path.replaceAll(/\{(\w+)\}/g, ":$1"));
    for (const { endpoint, handle } of methods) route[endpoint.method](handle);
    route.all(only(methods.map(({ endpoint }) => endpoint.method.toUpperCase()).join(", ")));
  }
  router.use((request) => {
    throw new RequestError(
      404,
      `There is nothing at /api/v1${request.path}. ${apiUrl}/openapi.json describes the operators' API.`,
    );
  });
  return router;
}

function tableOf(operations: Operations, apiUrl: string): readonly EndpointRoute[] {
  const route = routesAt(apiUrl);
  return [
    route(listLinks, async () => ({ links: linksOf(apiUrl) })),
    route(listSets, () => operations.sets()),
    route(listChannels, async ({ query, nextPage }) => {
      const { items, after } = await operations.channels(query);
      return { channels: items, next: nextPage(after) };
    }),
    route(listSubscriptions, async ({ query, nextPage }) => {
      const { items, after } = await operations.subscriptions(query);
      return { subscriptions: items, next: nextPage(after) };
    }),
    route(getSubscription, ({ params }) => operations.subscription(params.id)),
    route(listOrigins, async () => ({ origins: [...operations.origins()] })),
    route(listWatched, async () => ({ watched: [...(await operations.watched())] })),
    ...routesThatChange(operations, route),
    ...deadLetterRoutes(operations, route),
  ];
}

function routesThatChange(operations: Operations, route: Route): EndpointRoute[] {
  return [
    route(changeSubscription, ({ params, body }) => operations.setExhausted(params.id, body.exhausted)),
    route(endSubscription, ({ params, query }) => operations.end(params.id, query.reason)),
    route(pauseSubscription, ({ params, body }) => operations.pause(params.id, body.note)),
    route(resumeSubscription, ({ params }) => operations.resume(params.id)),
    route(rewindSubscription, ({ params, body }) => operations.rewind(params.id, body)),
    route(replaySubscription, ({ params, body }) => operations.replay(params.id, body)),
    route(rotateSecret, ({ params, body }) => operations.rotateSecret(params.id, body)),
    route(listAttempts, ({ params, query }) => operations.attempts(params.id, query)),
  ];
}

function deadLetterRoutes(operations: Operations, route: Route): EndpointRoute[] {
  return [
    route(listDeadLetters, async ({ query, nextPage }) => {
      const { items, after } = await operations.deadLetters(query);
      return { deadLetters: items, next: nextPage(after) };
    }),
    route(getDeadLetter, ({ params }) => operations.deadLetter(params.id)),
    route(resendDeadLetter, ({ params }) => operations.letters.resend(params.id)),
    route(resendDeadLetters, ({ body }) => operations.letters.resendChosen(body)),
    route(dropDeadLetter, ({ params }) => operations.letters.drop(params.id)),
    route(dropDeadLetters, ({ query }) => operations.letters.dropChosen(query)),
  ];
}

const linksOf = (apiUrl: string): Record<string, string> =>
  Object.fromEntries(
    [describeApi, listSets, listChannels, listSubscriptions, listDeadLetters, listOrigins, listWatched].map(
      ({ name, path }) => [name, `${apiUrl}${path}`],
    ),
  );

/** Fixed paths before those with an id in them, so that none hides another. */
function byPath(routes: readonly EndpointRoute[]): { path: string; methods: EndpointRoute[] }[] {
  const grouped = new Map<string, EndpointRoute[]>();
  for (const route of routes) {
    const { path } = route.endpoint;
    grouped.set(path, [...(grouped.get(path) ?? []), route]);
  }
  return [...grouped]
    .map(([path, methods]) => ({ path, methods }))
    .toSorted((a, b) => Number(a.path.includes("{")) - Number(b.path.includes("{")));
}
