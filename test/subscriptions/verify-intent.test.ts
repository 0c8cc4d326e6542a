import { expect, test } from "vitest";
import { StorageUnavailable } from "../../src/log/notification-log.ts";
import { createOutboundHttp } from "../../src/security/outbound-http.ts";
import { createIntentVerifier } from "../../src/subscriptions/verify-intent.ts";
import { confirming } from "../support/callback-server.ts";
import { append, channel, startIntentParts } from "../support/intent.ts";

test("H31, H40, H16: the callback is asked about mode, topic, challenge and lease, after its own query", async () => {
  await using hub = await startIntentParts();
  const callback = hub.callback.url("/c?k=%7E&hub.mode=mine");
  await hub.verifier.verify(await hub.remembered({ callback, leaseSeconds: 777 }));
  const [asked] = hub.callback.verifications;
  expect(asked?.target).toMatch(/^\/c\?k=%7E&hub\.mode=mine&hub\.mode=subscribe&hub\.topic=/);
  expect(Object.fromEntries(asked?.parameters ?? [])).toEqual({
    k: "~",
    "hub.mode": "subscribe",
    "hub.topic": channel.topic,
    "hub.challenge": expect.stringMatching(/^[\w-]{43}$/),
    "hub.lease_seconds": "777",
  });
});

test("H15: the topic is echoed as the subscriber wrote it, not as the hub compares it", async () => {
  await using hub = await startIntentParts();
  const topic = "HTTPS://hub.example:443/sets/%6Daps/change-notification";
  await hub.verifier.verify(await hub.remembered({ topic }));
  expect(hub.callback.verifications[0]?.parameters.get("hub.topic")).toBe(topic);
});

test("H40: the secret is never part of the question", async () => {
  await using hub = await startIntentParts();
  await hub.verifier.verify(await hub.remembered({ secret: "hush-hush" }));
  expect(hub.callback.verifications[0]?.target).not.toMatch(/secret|hush/);
  expect((await hub.find())?.secret).toBe("hush-hush");
});

test("H42: every question has a challenge of its own", async () => {
  await using hub = await startIntentParts();
  const request = await hub.remembered();
  await hub.verifier.verify(request);
  await hub.verifier.verify(request);
  const [first, second] = hub.callback.verifications.map(({ parameters }) => parameters.get("hub.challenge"));
  expect(first).not.toBe(second);
});

test.each([
  [200, "text/html; charset=utf-8"],
  [200, "application/octet-stream"],
  [201, "text/plain"],
  [299, ""],
])("H45: a %i with the challenge confirms, whatever its media type (%s)", async (status, type) => {
  await using hub = await startIntentParts();
  hub.callback.answerVerifications((asked) => ({
    ...confirming(asked),
    status,
    headers: type === "" ? {} : { "Content-Type": type },
  }));
  await hub.verifier.verify(await hub.remembered());
  expect(await hub.find()).toMatchObject({ callback: hub.callback.url(), leaseSeconds: 600 });
  expect(await hub.unfinished()).toEqual([]);
});

test.each([301, 302, 307, 400, 404, 410, 500, 503])(
  "H43: a %i refuses, even with the challenge",
  async (status) => {
    await using hub = await startIntentParts();
    const headers = { Location: hub.callback.url("/elsewhere") };
    hub.callback.answerVerifications((asked) => ({ ...confirming(asked), status, headers }));
    await hub.verifier.verify(await hub.remembered());
    expect(await hub.find()).toBeUndefined();
    expect(hub.callback.verifications).toHaveLength(1);
  },
);

test.each([
  ["nothing", () => ""],
  ["another challenge", () => "x".repeat(43)],
  ["a line break after the challenge", (challenge: string) => `${challenge}\n`],
  ["the challenge in a page", (challenge: string) => `<p>${challenge}</p>`],
  ["the challenge and megabytes", (challenge: string) => challenge + " ".repeat(3_000_000)],
])("H44: a 200 with %s refuses", async (_what, body) => {
  await using hub = await startIntentParts();
  hub.callback.answerVerifications(({ parameters }) => ({
    body: body(parameters.get("hub.challenge") ?? ""),
  }));
  await hub.verifier.verify(await hub.remembered());
  expect(await hub.find()).toBeUndefined();
  expect(hub.logged()).toContain("its body is not exactly the challenge");
  expect(await hub.unfinished()).toEqual([]);
});

test("H43: a callback that does not answer in time refuses, and is not asked again", async () => {
  await using hub = await startIntentParts({ timeout: 200 });
  hub.callback.answerVerifications({ hang: true });
  await hub.verifier.verify(await hub.remembered());
  expect(await hub.find()).toBeUndefined();
  expect(await hub.unfinished()).toEqual([]);
});

test("a callback at a private address is never called", async () => {
  await using hub = await startIntentParts();
  await hub.verifier.verify(await hub.remembered({ callback: "http://10.0.0.1/c" }));
  expect(hub.logged()).toContain("outbound.allow");
});

test("H47: the lease runs from the moment of the question", async () => {
  let time = 1_750_000_000_000;
  await using hub = await startIntentParts({ now: () => time });
  const request = await hub.remembered({ leaseSeconds: 600 });
  time += 5000;
  hub.callback.answerVerifications((asked) => {
    time += 3000;
    return confirming(asked);
  });
  await hub.verifier.verify(request);
  expect(await hub.find()).toMatchObject({ expiresAt: 1_750_000_605_000, createdAt: 1_750_000_005_000 });
});

test("nothing that is published once the callback has confirmed is missed, and nothing before the question comes", async () => {
  await using hub = await startIntentParts();
  const before = await append(hub.log, "before");
  hub.callback.answerVerifications(async (asked) => {
    await append(hub.log, "while the callback answers");
    return confirming(asked);
  });
  const request = await hub.remembered();
  await hub.verifier.verify(request);
  expect(await hub.ledger.progress(channel.id, request.subscription)).toMatchObject({ cursor: before });
});

test("H5, H10, H12: a renewal replaces lease and secret, also by none, and keeps the place", async () => {
  await using hub = await startIntentParts();
  const first = await hub.remembered({ secret: "old", leaseSeconds: 600 });
  await hub.verifier.verify(first);
  const { cursor } = (await hub.ledger.progress(channel.id, first.subscription))!;
  await append(hub.log, "not delivered yet");
  await hub.verifier.verify(await hub.remembered({ secret: "new", leaseSeconds: 900 }));
  const previousSecret = { secret: "old", until: expect.any(Number) };
  expect(await hub.find()).toMatchObject({ secret: "new", leaseSeconds: 900, previousSecret });
  expect((await hub.find())?.previousSecret?.until).toBeGreaterThan(Date.now());
  await hub.verifier.verify(await hub.remembered({ leaseSeconds: 900 }));
  expect((await hub.find())?.secret).toBeUndefined();
  expect(await hub.ledger.progress(channel.id, first.subscription)).toMatchObject({ cursor });
});

test("H10, H11: while a renewal is being verified, and when it fails, everything stays as it was", async () => {
  await using hub = await startIntentParts();
  await hub.verifier.verify(await hub.remembered({ secret: "old" }));
  const before = await hub.find();
  let during: unknown;
  hub.callback.answerVerifications(async () => {
    during = await hub.find();
    return { status: 404 };
  });
  await hub.verifier.verify(await hub.remembered({ secret: "forged", leaseSeconds: 1 }));
  expect(during).toEqual(before);
  expect(await hub.find()).toEqual(before);
});

test("H6, H40: a confirmed unsubscribe request ends the subscription; no lease is sent", async () => {
  await using hub = await startIntentParts();
  await hub.verifier.verify(await hub.remembered());
  await hub.verifier.verify(await hub.remembered({ mode: "unsubscribe" }));
  expect(await hub.find()).toBeUndefined();
  const { parameters } = hub.callback.verifications[1]!;
  expect(parameters.get("hub.mode")).toBe("unsubscribe");
  expect(parameters.has("hub.lease_seconds")).toBe(false);
});

test("H11: an unsubscribe request that the callback does not confirm ends nothing", async () => {
  await using hub = await startIntentParts();
  await hub.verifier.verify(await hub.remembered());
  hub.callback.answerVerifications({ status: 404 });
  await hub.verifier.verify(await hub.remembered({ mode: "unsubscribe" }));
  expect(await hub.find()).toBeDefined();
});

test("w3c/websub #120: unsubscribing an unknown pair does no harm and asks nobody", async () => {
  await using hub = await startIntentParts();
  await hub.verifier.verify(await hub.remembered({ mode: "unsubscribe" }));
  expect(hub.callback.verifications).toHaveLength(0);
  expect(await hub.unfinished()).toEqual([]);
});

test("w3c/websub #171: what is logged shows the callback's origin and neither its path nor the secret", async () => {
  await using hub = await startIntentParts();
  const callback = hub.callback.url("/unguessable?key=1");
  await hub.verifier.verify(await hub.remembered({ callback, secret: "hush-hush" }));
  hub.callback.answerVerifications({ status: 500 });
  await hub.verifier.verify(await hub.remembered({ callback, secret: "hush-hush" }));
  expect(hub.logged()).toContain(hub.callback.origin);
  expect(hub.logged()).not.toMatch(/unguessable|hush/);
});

test("where the store is away the request stays, to be taken up later", async () => {
  await using hub = await startIntentParts();
  await using outbound = disposable(
    createOutboundHttp({ allow: ["127.0.0.1"], events: hub.events, userAgent: "x" }),
  );
  const request = await hub.remembered();
  const away = { ...hub.store, activate: () => Promise.reject(new StorageUnavailable("no connection")) };
  const verifier = createIntentVerifier({
    ...hub,
    outbound,
    store: away,
    timeout: 2000,
    secretGrace: 0,
    now: Date.now,
  });
  await verifier.verify(request);
  expect(hub.logged()).toContain("storage unavailable");
  expect(await hub.unfinished()).toEqual([request]);
});

test("a hub that stops calls its questions off, and keeps the requests for its next start", async () => {
  await using hub = await startIntentParts();
  await using outbound = disposable(
    createOutboundHttp({ allow: ["127.0.0.1"], events: hub.events, userAgent: "x" }),
  );
  hub.callback.answerVerifications({ hang: true });
  const stopping = new AbortController();
  const abandon = stopping.signal;
  const verifier = createIntentVerifier({
    ...hub,
    outbound,
    timeout: 60_000,
    secretGrace: 0,
    abandon,
    now: Date.now,
  });
  const request = await hub.remembered();
  const running = verifier.verify(request);
  await expect.poll(() => hub.callback.verifications.length).toBe(1);
  stopping.abort();
  await running;
  expect(hub.logged()).not.toContain("intent not confirmed");
  expect(await hub.unfinished()).toEqual([request]);
});

const friend = { from: "subscribers", name: "friend", until: undefined };

test("a request for a private set whose authority was taken away before its turn is denied, and the callback not asked", async () => {
  await using hub = await startIntentParts({ mayReceive: () => false });
  await hub.verifier.verify(await hub.remembered({ authority: friend }));
  expect(hub.callback.verifications.map(({ parameters }) => parameters.get("hub.mode"))).toEqual(["denied"]);
  expect(await hub.find()).toBeUndefined();
  expect(await hub.unfinished()).toEqual([]);
});

test("tokens that are replaced while the callback thinks begin no subscription", async () => {
  let isAllowed = true;
  await using hub = await startIntentParts({ mayReceive: () => isAllowed });
  hub.callback.answerVerifications((asked) => {
    isAllowed = false;
    return confirming(asked);
  });
  await hub.verifier.verify(await hub.remembered({ authority: friend }));
  expect(hub.callback.verifications.map(({ parameters }) => parameters.get("hub.mode"))).toEqual([
    "subscribe",
    "denied",
  ]);
  expect(await hub.find()).toBeUndefined();
});

test("who may no longer read a private set can still unsubscribe from it", async () => {
  let isAllowed = true;
  await using hub = await startIntentParts({ mayReceive: () => isAllowed });
  await hub.verifier.verify(await hub.remembered({ authority: friend }));
  expect(await hub.find()).toMatchObject({ authority: friend });
  isAllowed = false;
  await hub.verifier.verify(await hub.remembered({ mode: "unsubscribe", authority: friend }));
  expect(await hub.find()).toBeUndefined();
});

test("a lease that a JWT was sent for ends with the JWT, however late the callback is asked", async () => {
  let time = 1_750_000_000_000;
  await using hub = await startIntentParts({ now: () => time });
  const authority = { from: "jwt:https://login.example.org", name: "reader-7", until: time + 90_500 };
  const request = await hub.remembered({ leaseSeconds: 600, authority });
  time += 30_000;
  await hub.verifier.verify(request);
  expect(hub.callback.verifications[0]?.parameters.get("hub.lease_seconds")).toBe("60");
  expect(await hub.find()).toMatchObject({ leaseSeconds: 60, expiresAt: time + 60_000 });
  time += 60_400;
  await hub.verifier.verify(request);
  expect(await hub.find()).toMatchObject({ leaseSeconds: 1, expiresAt: authority.until });
  time += 100;
  await hub.verifier.verify(request);
  expect(hub.callback.verifications.at(-1)?.parameters.get("hub.mode")).toBe("denied");
});

function disposable<Part extends { close(): Promise<void> }>(part: Part): Part & AsyncDisposable {
  return { ...part, [Symbol.asyncDispose]: () => part.close() };
}
