import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import { expect, test } from "vitest";
import {
  type CallbackReceiverOptions,
  createCallbackReceiver,
  type ReceivedNotification,
} from "../../src/client/callback-receiver.ts";
import { closeServer, listenOnLoopback } from "../live/listen-on-loopback.ts";

const topic = "https://hub.example.org/sets/maps/change-notification";

async function startReceiver(options: Partial<CallbackReceiverOptions> = {}) {
  const received: ReceivedNotification[] = [];
  const receiver = createCallbackReceiver({
    topics: new Set([topic]),
    onNotification: (notification) => void received.push(notification),
    ...options,
  });
  const server = createServer(receiver);
  const url = `${await listenOnLoopback(server)}/callback`;
  return {
    received,
    verify: (mode: string, of = topic, challenge = "abc-123_") =>
      fetch(
        `${url}?${new URLSearchParams({ "hub.mode": mode, "hub.topic": of, "hub.challenge": challenge }).toString()}`,
      ),
    deliver: (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
      fetch(url, {
        method: "POST",
        body,
        headers: {
          "Content-Type": "application/xml",
          Link: `<https://hub.example.org/websub>; rel="hub", <${topic}>; rel="self"`,
          ...headers,
        },
      }),
    url,
    [Symbol.asyncDispose]: () => closeServer(server),
  };
}

test("the challenge of a wanted subscription is echoed, as text that no browser runs (WebSub §8.2)", async () => {
  await using callback = await startReceiver();
  const response = await callback.verify("subscribe");
  expect([response.status, await response.text()]).toEqual([200, "abc-123_"]);
  expect(response.headers.get("content-type")).toMatch(/^text\/plain/);
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
});

test("what was not asked for is not confirmed", async () => {
  await using callback = await startReceiver();
  expect((await callback.verify("subscribe", "https://other.example/topic")).status).toBe(404);
  expect((await callback.verify("unsubscribe")).status).toBe(404);
  expect((await callback.verify("publish")).status).toBe(404);
  expect((await callback.verify("subscribe", topic, "<script>alert(1)</script>")).status).toBe(404);
});

test("unsubscribing is confirmed once the topic is no longer wanted", async () => {
  const topics = new Set([topic]);
  await using callback = await startReceiver({ topics });
  topics.delete(topic);
  expect((await callback.verify("unsubscribe")).status).toBe(200);
});

test("a delivery reaches the handler byte for byte, and is acknowledged after it", async () => {
  await using callback = await startReceiver();
  const payload = Buffer.from("\uFEFF<a>\r\né€😀</a>");
  const response = await callback.deliver(new Uint8Array(payload), { "webhook-id": "m-1" });
  expect(response.status).toBe(200);
  expect(callback.received).toEqual([{ topic, payload, contentType: "application/xml", id: "m-1" }]);
});

test("with a secret, only what is signed with it is taken (WebSub §7.1)", async () => {
  await using callback = await startReceiver({ secretFor: () => "s3cret" });
  const signed = (method: string, secret: string) =>
    `${method}=${createHmac(method, secret).update("<a/>").digest("hex")}`;
  const statusOf = async (headers: Record<string, string>) =>
    (await callback.deliver("<a/>", headers)).status;
  expect(await statusOf({})).toBe(403);
  expect(await statusOf({ "X-Hub-Signature": signed("sha256", "other") })).toBe(403);
  expect(await statusOf({ "X-Hub-Signature": "sha256=" })).toBe(403);
  expect(await statusOf({ "X-Hub-Signature": signed("md5", "s3cret") })).toBe(403);
  expect(callback.received).toHaveLength(0);
  for (const method of ["sha1", "sha256", "sha384", "sha512"]) {
    expect(await statusOf({ "X-Hub-Signature": signed(method, "s3cret") })).toBe(200);
  }
  expect(callback.received).toHaveLength(4);
});

test("a handler that throws makes the hub send again, and the error stays here", async () => {
  const errors: unknown[] = [];
  await using callback = await startReceiver({
    onNotification: () => Promise.reject(new Error("the index is locked")),
    onError: (error) => errors.push(error),
  });
  const response = await callback.deliver("<a/>");
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain("locked");
  expect(errors).toHaveLength(1);
});

test("other topics, other methods and too large bodies are refused", async () => {
  await using callback = await startReceiver({ maxBytes: 10 });
  expect((await callback.deliver("<a/>", { Link: '<https://other.example/>; rel="self"' })).status).toBe(404);
  expect((await callback.deliver("x".repeat(11))).status).toBe(413);
  const put = await fetch(callback.url, { method: "PUT", body: "" });
  expect([put.status, put.headers.get("allow")]).toEqual([405, "GET, POST"]);
  expect(callback.received).toHaveLength(0);
});
