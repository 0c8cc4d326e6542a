import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { channelIdOf, parseSetId } from "../../src/channels/channel.ts";
import { attemptDelivery } from "../../src/delivery/attempt-delivery.ts";
import type { Notification } from "../../src/log/notification-log.ts";
import { parsePosition } from "../../src/protocol/position.ts";
import { createOutboundHttp } from "../../src/security/outbound-http.ts";
import { subscriptionIdOf } from "../../src/subscriptions/subscription-id.ts";
import type { Subscription } from "../../src/subscriptions/subscription.ts";
import { freePort } from "../../bench/harness/free-port.ts";
import { type Answer, type CallbackServer, startCallbackServer } from "../support/callback-server.ts";

const channel = {
  id: channelIdOf(parseSetId("maps")!, "change-notification"),
  topic: "https://hub.example/sets/maps/change-notification",
  hubUrl: "https://hub.example/websub",
};

function subscriptionAt(callback: string, secret?: string): Subscription {
  const id = subscriptionIdOf(channel.id, channel.topic, callback);
  const lease = { leaseSeconds: 60, expiresAt: Date.now() + 60_000, createdAt: Date.now() };
  const decided = { previousSecret: undefined, exhausted: undefined, authority: undefined };
  return { id, channel: channel.id, topic: channel.topic, callback, secret, ...decided, ...lease };
}

function notification(
  sequence = 7,
  payload = Buffer.from([0x3c, 0xc3, 0xa4, 0x0d, 0x0a, 0x00]),
): Notification {
  const position = parsePosition(`epoch000-${sequence}`)!;
  return { sequence, position, receivedAt: Date.now(), contentType: "application/xml", payload };
}

async function start(timeout = 2000) {
  const callback = await startCallbackServer();
  const events = { outboundRefused: () => {} };
  const outbound = createOutboundHttp({ allow: ["127.0.0.1"], events, userAgent: "hub/test" });
  const attempt = attemptDelivery({ outbound, timeout, signatureMethod: "sha256", now: Date.now });
  const deliver = (secret?: string, of = notification(), count = 1) =>
    attempt(subscriptionAt(callback.url("/c?k=%7E&b='x'"), secret), channel, of, count);
  return {
    callback,
    attempt,
    deliver,
    [Symbol.asyncDispose]: async () => {
      await callback[Symbol.asyncDispose]();
      await outbound.close();
    },
  };
}

const received = (callback: CallbackServer) => callback.deliveries.at(-1)!;
const rawHeader = (callback: CallbackServer, name: string) =>
  received(callback).rawHeaders.filter((_, i, all) => i % 2 === 1 && all[i - 1]?.toLowerCase() === name);

test("H60, H62, H18, H75: the payload is POSTed byte for byte to the exact callback, query included", async () => {
  await using hub = await start();
  expect(await hub.deliver()).toMatchObject({ kind: "delivered", status: 204 });
  expect(received(hub.callback)).toMatchObject({ method: "POST", target: "/c?k=%7E&b='x'" });
  expect(received(hub.callback).body.equals(notification().payload)).toBe(true);
});

test("H61: the Content-Type is the stored one, without a charset", async () => {
  await using hub = await start();
  await hub.deliver();
  expect(rawHeader(hub.callback, "content-type")).toEqual(["application/xml"]);
});

test("H64, H65, H66, H67: one Link field names hub and self, as the channel is advertised", async () => {
  await using hub = await start();
  await hub.deliver();
  expect(rawHeader(hub.callback, "link")).toEqual([
    '<https://hub.example/websub>; rel="hub", <https://hub.example/sets/maps/change-notification>; rel="self"',
  ]);
});

test("H80, H81: with a secret, the exact bytes are signed", async () => {
  await using hub = await start();
  await hub.deliver("clé");
  const hex = createHmac("sha256", "clé").update(received(hub.callback).body).digest("hex");
  expect(rawHeader(hub.callback, "x-hub-signature")).toEqual([`sha256=${hex}`]);
});

test("beside it there is the signature of Standard Webhooks; while a secret is replaced, of both", async () => {
  await using hub = await start();
  const subscription = subscriptionAt(hub.callback.url(), "new secret");
  const replaced = (until: number) => ({ ...subscription, previousSecret: { secret: "old secret", until } });
  await hub.attempt(replaced(Date.now() + 60_000), channel, notification(), 1);
  const { headers, body } = received(hub.callback);
  const signed = `${String(headers["webhook-id"])}.${String(headers["webhook-timestamp"])}.`;
  const [byNew, byOld] = ["new secret", "old secret"].map(
    (key) => `v1,${createHmac("sha256", key).update(signed).update(body).digest("base64")}`,
  );
  expect(headers["webhook-signature"]).toBe(`${byNew} ${byOld}`);
  const hex = createHmac("sha256", "new secret").update(body).digest("hex");
  expect(headers["x-hub-signature"]).toBe(`sha256=${hex}`);
  await hub.attempt(replaced(Date.now() - 1), channel, notification(), 1);
  expect(received(hub.callback).headers["webhook-signature"]).toMatch(/^v1,[\w+/]+=$/);
});

test("H83: without a secret there is no signature", async () => {
  await using hub = await start();
  await hub.deliver();
  expect(rawHeader(hub.callback, "webhook-signature")).toEqual([]);
  expect(rawHeader(hub.callback, "x-hub-signature")).toEqual([]);
});

test("the secret is not among what is sent", async () => {
  await using hub = await start();
  await hub.deliver("hush-hush");
  expect(JSON.stringify(received(hub.callback))).not.toContain("hush-hush");
});

test("webhook-id stays the same when a notification is tried again, and differs between notifications", async () => {
  await using hub = await start();
  hub.callback.answerDeliveries({ status: 500 });
  await hub.deliver(undefined, notification(1), 1);
  await hub.deliver(undefined, notification(1), 2);
  await hub.deliver(undefined, notification(2), 1);
  const [first, again, next] = hub.callback.deliveries.map(({ headers }) => headers["webhook-id"]);
  expect(first).toMatch(/^msg_[\w-]{22}_epoch000-1$/);
  expect(again).toBe(first);
  expect(next).not.toBe(first);
  expect(hub.callback.deliveries.map(({ headers }) => headers["webhook-attempt"])).toEqual(["1", "2", "1"]);
});

test("webhook-timestamp is the second of the attempt", async () => {
  await using hub = await start();
  const before = Math.floor(Date.now() / 1000);
  await hub.deliver();
  const timestamp = Number(received(hub.callback).headers["webhook-timestamp"]);
  expect(timestamp).toBeGreaterThanOrEqual(before);
  expect(timestamp).toBeLessThanOrEqual(Date.now() / 1000);
});

test.each([200, 201, 202, 204, 299])("H68: a %i is success", async (status) => {
  await using hub = await start();
  hub.callback.answerDeliveries({ status });
  expect(await hub.deliver()).toMatchObject({ kind: "delivered", status });
});

test.each([301, 302, 307, 308])(
  "H70: a %i is a failure, and where it points is not called",
  async (status) => {
    await using hub = await start();
    await using elsewhere = await startCallbackServer();
    hub.callback.answerDeliveries({ status, headers: { Location: elsewhere.url() } });
    const outcome = await hub.deliver();
    expect(outcome).toMatchObject({ kind: "failed", slowOrigin: false, record: { status } });
    expect(outcome).toMatchObject({
      record: { reason: expect.stringContaining("a hub follows no redirect") },
    });
    expect(elsewhere.deliveries).toHaveLength(0);
  },
);

test.each([
  [400, false],
  [404, false],
  [500, false],
  [429, true],
  [502, true],
  [503, true],
  [504, true],
])("H70: a %i is a failure; that it speaks of the whole origin is %s", async (status, slowOrigin) => {
  await using hub = await start();
  hub.callback.answerDeliveries({ status });
  expect(await hub.deliver()).toMatchObject({ kind: "failed", slowOrigin, retryAfter: undefined });
});

test("H69: a 410 says that the subscription is gone", async () => {
  await using hub = await start();
  hub.callback.answerDeliveries({ status: 410 });
  expect(await hub.deliver()).toMatchObject({
    kind: "gone",
    record: { status: 410, reason: "answered 410 Gone" },
  });
});

test("Retry-After is read from a failure", async () => {
  await using hub = await start();
  hub.callback.answerDeliveries({ status: 503, headers: { "Retry-After": "120" } });
  expect(await hub.deliver()).toMatchObject({ kind: "failed", retryAfter: 120_000 });
});

test("H71: of the answer a short, printable piece is kept for the operator", async () => {
  await using hub = await start();
  const body = `<h1>Oops</h1>\r\n\u0007\u001b[31mdatabase  down\n${"x".repeat(100_000)}`;
  hub.callback.answerDeliveries({ status: 500, body });
  const outcome = await hub.deliver();
  if (outcome.kind !== "failed") throw new Error(outcome.kind);
  expect(outcome.record.reason).toBe("answered 500 Internal Server Error");
  expect(outcome.record.answer).toMatch(/^<h1>Oops<\/h1> \[31mdatabase down x+$/);
  expect(Buffer.byteLength(outcome.record.answer ?? "")).toBeLessThanOrEqual(1024);
});

test("a callback that does not answer, or is not there, is a failure with a reason", async () => {
  await using hub = await start(200);
  hub.callback.answerDeliveries({ hang: true });
  const record = { status: undefined, reason: `${hub.callback.origin} did not answer within 0.2 s` };
  expect(await hub.deliver()).toMatchObject({ kind: "failed", retryAfter: undefined, record });
  const nobody = subscriptionAt(`http://127.0.0.1:${await freePort()}/secret-path`);
  const outcome = await hub.attempt(nobody, channel, notification(), 1);
  expect(outcome).toMatchObject({ record: { reason: expect.stringContaining("refused the connection") } });
  expect(JSON.stringify(outcome)).not.toContain("secret-path");
});

test("H74: a callback whose address is not to be called is a failure too: the subscription lives on", async () => {
  await using hub = await start();
  const outcome = await hub.attempt(subscriptionAt("http://10.0.0.1/"), channel, notification(), 1);
  expect(outcome).toMatchObject({
    kind: "failed",
    record: { reason: expect.stringContaining("outbound.allow") },
  });
});

test("an attempt that is called off says nothing about the callback", async () => {
  await using hub = await start();
  hub.callback.answerDeliveries({ hang: true } satisfies Answer);
  const controller = new AbortController();
  const subscription = subscriptionAt(hub.callback.url());
  const running = hub.attempt(subscription, channel, notification(), 1, controller.signal);
  await expect.poll(() => hub.callback.deliveries.length).toBe(1);
  controller.abort();
  expect(await running).toEqual({ kind: "abandoned" });
});
