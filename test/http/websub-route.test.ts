import { createServer } from "node:http";
import { expect, test } from "vitest";
import { websubRoute } from "../../src/http/websub-route.ts";
import { StorageUnavailable } from "../../src/log/notification-log.ts";
import type { AcceptSubscriptionRequest } from "../../src/subscriptions/accept-request.ts";
import { formFor, postToHub } from "../support/websub-forms.ts";

/** A server with this route alone, as far as forms are concerned. */
async function serve(subscribe: AcceptSubscriptionRequest) {
  const [ping, toHub] = [
    async () => ({ kind: "taken" }) as const,
    () => Promise.reject(new Error("no form")),
  ];
  const channels = { byTopic: () => undefined };
  const setAccess = {
    sight: async () => ({ sees: () => true, authorityFor: () => undefined, refusal: undefined }),
  };
  const route = websubRoute({
    channels,
    setAccess,
    subscribe,
    ping,
    toHub,
    cors: { refuseOthers: () => {} },
    tell: () => {},
  });
  const server = createServer((request, response) => {
    route(request, response).catch(() => response.writeHead(500).end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test("H22, H23: while the store is away a request is 503 in plain text, with the time to come back", async () => {
  await using hub = await serve(() => Promise.reject(new StorageUnavailable("no connection")));
  const answer = await postToHub(hub, formFor(hub, "https://sub.example/c"));
  expect([answer.status, answer.headers.get("content-type"), answer.headers.get("retry-after")]).toEqual([
    503,
    "text/plain; charset=utf-8",
    "5",
  ]);
  expect(await answer.text()).toContain("Send the same request again later");
});

test("H22: a fault of the hub is a 5xx that tells nothing of it", async () => {
  await using hub = await serve(() => Promise.reject(new Error("a secret of the hub")));
  const answer = await postToHub(hub, formFor(hub, "https://sub.example/c"));
  expect([answer.status, await answer.text()]).toEqual([500, ""]);
});
