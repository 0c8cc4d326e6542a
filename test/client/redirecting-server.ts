import { createServer } from "node:http";
import { closeServer, listenOnLoopback } from "../live/listen-on-loopback.ts";

/** Answers 404, or leads everybody to another server; remembers which `Authorization` came with each request. */
export async function startRedirectingServer(to?: string) {
  const authorizations: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    authorizations.push(request.headers.authorization);
    if (to === undefined) response.writeHead(404).end();
    else response.writeHead(307, { Location: `${to}/` }).end();
  });
  const origin = await listenOnLoopback(server);
  return { origin, authorizations, [Symbol.asyncDispose]: () => closeServer(server) };
}

/** A topic at a server of its own, whose hub is elsewhere. */
export async function startTopicServer(hub: string) {
  const server = createServer((_request, response) => {
    response.writeHead(200, { Link: `<${hub}>; rel="hub", <${topic}>; rel="self"` }).end();
  });
  const topic = `${await listenOnLoopback(server)}/topic`;
  return { topic, [Symbol.asyncDispose]: () => closeServer(server) };
}
