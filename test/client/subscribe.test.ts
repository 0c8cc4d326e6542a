import { expect, test } from "vitest";
import { discoverHub } from "../../src/client/discover-hub.ts";
import { ping } from "../../src/client/ping.ts";
import { subscribe, unsubscribe } from "../../src/client/subscribe.ts";
import { HubUnreachable } from "../../src/client/until-decided.ts";
import { freePort } from "../../bench/harness/free-port.ts";
import { startWebSubHub } from "./websub-hub.ts";

const request = {
  topic: "https://maps.example.org/change-notification?set=a&b=ü",
  callback: "https://me.example.org/callbacks/x?a=1&b=2",
};

test("subscribing sends what WebSub §5.1 asks for, with secret and lease only where they are given", async () => {
  await using hub = await startWebSubHub();
  hub.answer(() => ({ asks: "nothing" }));
  const outcome = await subscribe({ hub: hub.hub, ...request, secret: "key&=", leaseSeconds: 600 });
  expect(outcome).toEqual({ kind: "accepted" });
  await subscribe({ hub: hub.hub, ...request });
  const common = {
    "hub.mode": "subscribe",
    "hub.topic": request.topic,
    "hub.callback": request.callback,
  };
  expect(hub.requests.map(({ form }) => Object.fromEntries(form))).toEqual([
    { ...common, "hub.secret": "key&=", "hub.lease_seconds": "600" },
    common,
  ]);
  expect(hub.requests[0]?.headers["content-type"]).toBe("application/x-www-form-urlencoded");
});

test("unsubscribing names the same topic and callback", async () => {
  await using hub = await startWebSubHub();
  hub.answer(() => ({ asks: "nothing" }));
  expect(await unsubscribe({ hub: hub.hub, ...request })).toEqual({ kind: "accepted" });
  expect(Object.fromEntries(hub.requests[0]!.form)).toEqual({
    "hub.mode": "unsubscribe",
    "hub.topic": request.topic,
    "hub.callback": request.callback,
  });
});

test("a ping names every topic in a hub.url of its own", async () => {
  await using hub = await startWebSubHub();
  hub.answer(() => ({ status: 204 }));
  const topics = ["https://maps.example.org/a.xml", "https://maps.example.org/b.xml"];
  expect(await ping({ hub: hub.hub, topics })).toEqual({ kind: "accepted" });
  expect([...hub.requests[0]!.form]).toEqual([
    ["hub.mode", "publish"],
    ["hub.url", topics[0]],
    ["hub.url", topics[1]],
  ]);
});

test("a refusal is given back with the hub's words, bounded, and not tried again", async () => {
  await using hub = await startWebSubHub();
  hub.answer(() => ({ status: 404, body: `There is no such topic.\n${" ".repeat(100_000)}` }));
  expect(await subscribe({ hub: hub.hub, ...request })).toEqual({
    kind: "refused",
    status: 404,
    reason: "There is no such topic.",
  });
  expect(hub.requests).toHaveLength(1);
});

test("a busy hub, and one that breaks off, is asked again", async () => {
  await using hub = await startWebSubHub();
  const replies = [{ status: 429, headers: { "Retry-After": "0" } }, { cut: true } as const, { status: 503 }];
  hub.answer((number) => replies[number - 1] ?? { asks: "nothing" });
  expect(await subscribe({ hub: hub.hub, ...request })).toEqual({ kind: "accepted" });
  expect(hub.requests).toHaveLength(4);
});

test("a hub that cannot be reached is an error that says that trying again can help; a signal ends the waiting", async () => {
  const hub = `http://127.0.0.1:${await freePort()}/websub`;
  const error: unknown = await subscribe({ hub, ...request, attempts: 2 }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(HubUnreachable);
  expect(error).toMatchObject({ mayRetry: true, message: expect.stringContaining("2 attempts") });
  const stopped = ping({ hub, topics: [request.topic], attempts: 1000, signal: AbortSignal.timeout(50) });
  await expect(stopped).rejects.toMatchObject({ name: expect.stringMatching(/Abort|Timeout/) });
});

test("307 and 308 lead to another hub, with the same form; a circle of them does not (WebSub §5.1.2)", async () => {
  await using other = await startWebSubHub();
  other.answer(() => ({ asks: "nothing" }));
  await using hub = await startWebSubHub();
  for (const status of [307, 308]) {
    hub.answer(() => ({ status, headers: { Location: other.hub } }));
    expect(await subscribe({ hub: hub.hub, ...request, secret: "key" })).toEqual({ kind: "accepted" });
    expect(other.requests.at(-1)?.form.get("hub.secret")).toBe("key");
  }
  hub.answer(() => ({ status: 307, headers: { Location: hub.hub } }));
  expect(await subscribe({ hub: hub.hub, ...request })).toMatchObject({ kind: "refused", status: 307 });
  hub.answer(() => ({ status: 308, headers: { Location: "gopher://hub.example/" } }));
  expect(await subscribe({ hub: hub.hub, ...request })).toMatchObject({ kind: "refused", status: 308 });
});

test("a topic's Link headers tell its hubs and its canonical URL, relative ones too (WebSub §4)", async () => {
  await using server = await startWebSubHub();
  const links =
    '</websub>; rel="hub", <https://other.example/hub>; rel=hub, <https://maps.example.org/a>; rel="self"';
  server.answerTopics(() => ({ headers: { Link: links } }));
  expect(await discoverHub(`${server.origin}/topic`)).toEqual({
    kind: "found",
    hubs: [server.hub, "https://other.example/hub"],
    self: "https://maps.example.org/a",
  });
  server.answerTopics(() => ({ headers: { Link: "</websub>; rel=hub" } }));
  expect(await discoverHub(`${server.origin}/topic`)).toMatchObject({ self: `${server.origin}/topic` });
});

test("a server that leaves Link out of its answer to HEAD is asked with GET", async () => {
  await using server = await startWebSubHub();
  server.answerTopics((method) =>
    method === "HEAD" ? { status: 405 } : { headers: { Link: "</h>; rel=hub" } },
  );
  expect(await discoverHub(`${server.origin}/topic`)).toMatchObject({ hubs: [`${server.origin}/h`] });
});

test("discovery follows redirects, and says why nothing was found", async () => {
  await using server = await startWebSubHub();
  await using moved = await startWebSubHub();
  moved.answerTopics(() => ({ status: 301, headers: { Location: `${server.origin}/topic` } }));
  server.answerTopics(() => ({ headers: { Link: '</websub>; rel="hub", </topic>; rel="self"' } }));
  expect(await discoverHub(moved.origin)).toMatchObject({
    hubs: [server.hub],
    self: `${server.origin}/topic`,
  });
  const links = '</websub>; rel="hub"; anchor="https://elsewhere.example/", <ftp://h.example/>; rel=hub';
  server.answerTopics(() => ({ headers: { Link: links } }));
  expect(await discoverHub(server.origin)).toMatchObject({
    kind: "none",
    mayRetry: false,
    reason: expect.stringContaining("no Link header with rel=hub"),
  });
  server.answerTopics(() => ({ status: 404 }));
  expect(await discoverHub(server.origin)).toMatchObject({ kind: "none", mayRetry: false });
  server.answerTopics(() => ({ status: 503 }));
  expect(await discoverHub(server.origin)).toMatchObject({ kind: "none", mayRetry: true });
  const dead = `http://127.0.0.1:${await freePort()}/`;
  expect(await discoverHub(dead)).toMatchObject({
    mayRetry: true,
    reason: expect.stringContaining("nothing answers"),
  });
});
