import { connect } from "node:net";
import { expect, test } from "vitest";
import { closeServer, listenOnLoopback } from "../live/listen-on-loopback.ts";
import { waitUntil } from "../support/wait-until.ts";
import { createServer } from "node:http";
import { createCallbackReceiver } from "../../src/client/callback-receiver.ts";
import { startReceiver, topic } from "./receiver-server.ts";

test("the challenge of a wanted subscription is echoed, as text that no browser runs (WebSub §8.2)", async () => {
  await using callback = await startReceiver();
  const response = await callback.verify({ "hub.lease_seconds": "600" });
  expect([response.status, await response.text()]).toEqual([200, "abc-123_"]);
  expect(response.headers.get("content-type")).toMatch(/^text\/plain/);
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
});

test("the lease that the hub grants is known from then on (WebSub §5.3)", async () => {
  await using callback = await startReceiver({ now: () => 1_000_000 });
  expect(callback.subscription.lease).toBeUndefined();
  await callback.verify({ "hub.lease_seconds": "600" });
  const lease = { seconds: 600, endsAt: 1_600_000 };
  await waitUntil(() => expect(callback.news).toEqual([{ kind: "confirmed", topic, lease }]));
  expect(callback.subscription.lease).toEqual(lease);
  await callback.verify({ "hub.lease_seconds": "for ever" });
  await waitUntil(() => expect(callback.news).toHaveLength(2));
  expect(callback.subscription.lease).toBeUndefined();
});

test("what was not asked for is not confirmed", async () => {
  await using callback = await startReceiver();
  const other = callback.receiver.subscription({ topic: "https://other.example/topic" });
  expect((await callback.verify({}, other.callback)).status).toBe(404);
  expect((await callback.verify({}, `${callback.origin}/callbacks/${"x".repeat(43)}`)).status).toBe(404);
  expect((await callback.verify({ "hub.topic": "https://other.example/topic" })).status).toBe(404);
  expect((await callback.verify({ "hub.mode": "unsubscribe" })).status).toBe(404);
  expect((await callback.verify({ "hub.mode": "publish" })).status).toBe(404);
  expect((await callback.verify({ "hub.challenge": "<script>alert(1)</script>" })).status).toBe(404);
  expect((await callback.verify({ "hub.challenge": "" })).status).toBe(404);
  expect((await callback.verify({ "hub.challenge": "a".repeat(257) })).status).toBe(404);
  expect(callback.news).toEqual([]);
});

test("a topic is the same when only what need not be escaped is escaped (WebSub §5.1)", async () => {
  await using callback = await startReceiver();
  expect((await callback.verify({ "hub.topic": topic.replace("maps", "m%61ps") })).status).toBe(200);
});

test("a subscription that has ended confirms unsubscribing, and answers 410 to deliveries", async () => {
  await using callback = await startReceiver();
  callback.subscription.end();
  expect((await callback.deliver("<a/>")).status).toBe(410);
  expect((await callback.verify({})).status).toBe(404);
  const response = await callback.verify({ "hub.mode": "unsubscribe" });
  expect([response.status, await response.text()]).toEqual([200, "abc-123_"]);
  await waitUntil(() => expect(callback.news).toEqual([{ kind: "unsubscribed", topic }]));
  expect(callback.received).toEqual([]);
});

test("a denial is told with its reason, without characters that a terminal would obey (WebSub §5.2)", async () => {
  await using callback = await startReceiver();
  const denied = { "hub.mode": "denied", "hub.reason": `\u001b[31mno such set${"!".repeat(1000)}` };
  expect((await callback.verify(denied)).status).toBe(200);
  expect((await callback.verify({ ...denied, "hub.topic": "https://other.example/" })).status).toBe(404);
  await waitUntil(() => expect(callback.denials).toHaveLength(1));
  const [denial] = callback.denials;
  expect(denial).toMatchObject({
    kind: "denied",
    topic,
    reason: expect.stringMatching(/^\[31mno such set!+$/),
  });
  expect(denial?.kind === "denied" && denial.reason.length).toBeLessThanOrEqual(500);
});

test("a delivery reaches the handler byte for byte, and is acknowledged after it", async () => {
  await using callback = await startReceiver();
  const payload = Buffer.from("\uFEFF<a>\r\né€😀</a>");
  const headers = { "webhook-id": "m-1", "webhook-attempt": "3" };
  const response = await callback.deliver(new Uint8Array(payload), headers);
  expect(response.status).toBe(200);
  expect(callback.received).toEqual([
    { topic, payload, contentType: "application/xml", id: "m-1", attempt: 3 },
  ]);
});

test("the path tells the subscription, whatever the Link header of a delivery says (WebSub §7)", async () => {
  await using callback = await startReceiver();
  const other = "https://hub.example.org/sets/maps/framework-notification";
  const second = callback.receiver.subscription({ topic: other });
  expect(second.callback).not.toBe(callback.subscription.callback);
  const lying = { Link: `<${topic}>; rel="self"` };
  await callback.deliver("<b/>", lying, second.callback);
  await callback.deliver("<a/>", { Link: `<${other}>; rel="self"` });
  await callback.deliver("<a/>");
  expect(callback.received.map((notification) => notification.topic)).toEqual([other, topic, topic]);
});

test("an id that a program kept gives the same callback again; one that can be guessed is refused", async () => {
  await using callback = await startReceiver();
  const { id } = callback.subscription;
  expect(id).toMatch(/^[\w-]{43}$/);
  const again = callback.receiver.subscription({ topic, id });
  expect(again.callback).toBe(callback.subscription.callback);
  expect(() => callback.receiver.subscription({ topic, id: "maps" })).toThrow(/22 to 86 characters/);
});

test("a delivery that comes again with the same id is acknowledged, and not handed over twice", async () => {
  await using callback = await startReceiver();
  for (const id of ["m-1", "m-1", "m-2", "m-1"]) {
    expect((await callback.deliver("<a/>", { "webhook-id": id })).status).toBe(200);
  }
  expect(callback.received.map(({ id }) => id)).toEqual(["m-1", "m-2"]);
});

test("ids are remembered for each subscription, and only so many", async () => {
  await using callback = await startReceiver({ rememberedIds: 2 });
  const second = callback.receiver.subscription({ topic });
  for (const id of ["m-1", "m-2", "m-3", "m-2", "m-1"]) await callback.deliver("<a/>", { "webhook-id": id });
  await callback.deliver("<a/>", { "webhook-id": "m-1" }, second.callback);
  expect(callback.received.map(({ id }) => id)).toEqual(["m-1", "m-2", "m-3", "m-1", "m-1"]);
});

test("while a slow handler is at work, the next delivery waits, and the same one again gets its outcome", async () => {
  let finish = (): void => {};
  await using callback = await startReceiver({
    onNotification: ({ id }) =>
      id === "m-1" ? new Promise<void>((resolve) => (finish = resolve)) : undefined,
  });
  const first = callback.deliver("<a/>", { "webhook-id": "m-1" });
  await waitUntil(() => expect(callback.received).toHaveLength(1));
  const again = callback.deliver("<a/>", { "webhook-id": "m-1" });
  const next = callback.deliver("<b/>", { "webhook-id": "m-2" });
  const refused = await callback.deliver(
    "<c/>",
    { "webhook-id": "m-1" },
    `${callback.origin}/callbacks/none`,
  );
  expect(refused.status).toBe(404);
  expect(callback.received).toHaveLength(1);
  finish();
  expect((await Promise.all([first, again, next])).map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(callback.received.map(({ id }) => id)).toEqual(["m-1", "m-2"]);
});

test("more deliveries at once than a hub sends are put off, so that memory stays bounded", async () => {
  let finish = (): void => {};
  const held = new Promise<void>((resolve) => (finish = resolve));
  await using callback = await startReceiver({ onNotification: () => held });
  const sent = Array.from({ length: 12 }, (_, number) =>
    callback.deliver("<a/>", { "webhook-id": `m-${number}` }),
  );
  const putOff: (string | null)[] = [];
  const answers = sent.map(async (sending) => {
    const { status, headers } = await sending;
    if (status === 503) putOff.push(headers.get("retry-after"));
    return status;
  });
  await waitUntil(() => expect(putOff).toEqual(["5", "5", "5", "5"]));
  finish();
  expect((await Promise.all(answers)).filter((status) => status === 200)).toHaveLength(8);
});

test("a handler that throws makes the hub send again, and then the same id is handed over", async () => {
  let failures = 1;
  await using callback = await startReceiver({
    onNotification: () =>
      failures-- > 0 ? Promise.reject(new Error("the index is locked")) : Promise.resolve(),
  });
  const response = await callback.deliver("<a/>", { "webhook-id": "m-1" });
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain("locked");
  expect(callback.errors).toMatchObject([{ message: "the index is locked" }]);
  expect((await callback.deliver("<a/>", { "webhook-id": "m-1" })).status).toBe(200);
  expect(callback.received).toHaveLength(2);
});

test("without onError, what went wrong becomes a warning of the process", async () => {
  const server = createServer();
  const receiver = createCallbackReceiver({
    url: await listenOnLoopback(server),
    onNotification: () => Promise.reject(new Error("the index is locked")),
  });
  server.on("request", receiver.handle);
  const warned = new Promise<Error>((resolve) => process.once("warning", resolve));
  const { callback } = receiver.subscription({ topic });
  expect((await fetch(callback, { method: "POST", body: "<a/>" })).status).toBe(500);
  expect((await warned).message).toBe("the index is locked");
  await closeServer(server);
});

test("other paths, other methods and too large bodies are refused", async () => {
  await using callback = await startReceiver({ maxBytes: 10 });
  expect((await callback.deliver("<a/>", {}, `${callback.origin}/callbacks`)).status).toBe(404);
  expect((await callback.deliver("x".repeat(10))).status).toBe(200);
  expect((await callback.deliver("x".repeat(11))).status).toBe(413);
  expect(callback.errors).toMatchObject([{ name: "DeliveryRefused" }]);
  const put = await fetch(callback.subscription.callback, { method: "PUT", body: "" });
  expect([put.status, put.headers.get("allow")]).toEqual([405, "GET, POST"]);
  expect(callback.received).toHaveLength(1);
});

test("a hub that goes away in the middle of a delivery hands nothing over, and is no error", async () => {
  await using callback = await startReceiver();
  const { port, pathname } = new URL(callback.subscription.callback);
  const socket = connect(Number(port), "127.0.0.1");
  socket.write(`POST ${pathname} HTTP/1.1\r\nHost: callback\r\nContent-Length: 100\r\n\r\n<a`);
  await new Promise((resolve) => socket.once("connect", resolve));
  socket.resume().end();
  await new Promise((resolve) => socket.once("close", resolve));
  expect((await callback.deliver("<b/>")).status).toBe(200);
  expect(callback.received.map(({ payload }) => payload.toString())).toEqual(["<b/>"]);
  expect(callback.errors).toEqual([]);
});
