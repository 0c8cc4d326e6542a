import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadConfig } from "../../src/config.ts";
import { confirming, startCallbackServer } from "../support/callback-server.ts";
import { changeNotification } from "../support/documents.ts";
import { startTestHub, type TestHub } from "../support/start-hub.ts";
import { waitUntil } from "../support/wait-until.ts";
import { formFor, publishNext, sumOf, topicOf, verifiedAtHub } from "../support/websub-forms.ts";

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub[Symbol.asyncDispose]());

const next = () => publishNext(hub, changeNotification);

test("H31, H40, H41: the callback is asked by GET about mode, topic, challenge and lease, and about nothing else", async () => {
  await using callback = await startCallbackServer();
  const more = { "hub.secret": "hush-hush", "hub.lease_seconds": "600" };
  await verifiedAtHub(hub, formFor(hub, callback.url(), more));
  const [asked] = callback.verifications;
  expect(Object.fromEntries(asked?.parameters ?? [])).toEqual({
    "hub.mode": "subscribe",
    "hub.topic": topicOf(hub),
    "hub.challenge": expect.stringMatching(/^[+\-./0-9=A-Z_a-z]{43}$/),
    "hub.lease_seconds": "600",
  });
  expect(asked?.target).not.toContain("hush");
  expect(callback.deliveries).toEqual([]);
});

test("H40, w3c/websub #122: who unsubscribes is asked with hub.mode=unsubscribe and without a lease", async () => {
  await using callback = await startCallbackServer();
  await verifiedAtHub(hub, formFor(hub, callback.url()));
  await verifiedAtHub(hub, formFor(hub, callback.url(), { "hub.mode": "unsubscribe" }));
  const [, asked] = callback.verifications;
  expect([...(asked?.parameters.keys() ?? [])]).toEqual(["hub.mode", "hub.topic", "hub.challenge"]);
  expect(asked?.parameters.get("hub.mode")).toBe("unsubscribe");
});

test("H42: each verification has a challenge of its own", async () => {
  await using callback = await startCallbackServer();
  for (let i = 0; i < 3; i += 1) await verifiedAtHub(hub, formFor(hub, callback.url()));
  const challenges = callback.verifications.map(({ parameters }) => parameters.get("hub.challenge"));
  expect(new Set(challenges).size).toBe(3);
});

test.each([301, 302, 303, 307, 308])(
  "H43: a %i fails the verification, and where it points is not called",
  async (status) => {
    await using callback = await startCallbackServer();
    await using elsewhere = await startCallbackServer();
    callback.answerVerifications((asked) => ({
      ...confirming(asked),
      status,
      headers: { Location: elsewhere.url() },
    }));
    expect(await verifiedAtHub(hub, formFor(hub, callback.url()))).toBe(false);
    expect(elsewhere.verifications).toEqual([]);
    await next();
    expect(callback.deliveries).toEqual([]);
  },
);

test.each([
  ["a line break after it", (challenge: string) => `${challenge}\n`],
  ["quotes around it", (challenge: string) => `"${challenge}"`],
  ["other letters", (challenge: string) => challenge.toLowerCase()],
  ["nothing of it", () => ""],
])("H44: a 200 with the challenge and %s fails", async (_what, body) => {
  await using callback = await startCallbackServer();
  callback.answerVerifications(({ parameters }) => ({ body: body(parameters.get("hub.challenge") ?? "") }));
  expect(await verifiedAtHub(hub, formFor(hub, callback.url()))).toBe(false);
});

test("H44: of an answer that never ends only the beginning is read", async () => {
  let sent = 0;
  let ended = false;
  const server = createServer((request, response) => {
    const challenge = new URL(request.url ?? "", "http://x").searchParams.get("hub.challenge") ?? "";
    response.write(challenge);
    const more = setInterval(() => {
      sent += 1;
      response.write(" ".repeat(1000));
    }, 1);
    response.on("close", () => {
      ended = true;
      clearInterval(more);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  expect(await verifiedAtHub(hub, formFor(hub, `http://127.0.0.1:${port}/`))).toBe(false);
  await waitUntil(() => expect(ended).toBe(true));
  expect(sent).toBeLessThan(1000);
  await new Promise((resolve) => server.close(resolve));
});

test("H43: a callback that does not answer in time fails the verification", async () => {
  await using callback = await startCallbackServer();
  callback.answerVerifications({ hang: true });
  expect(await verifiedAtHub(hub, formFor(hub, callback.url()))).toBe(false);
});

test.each([
  [200, "text/html"],
  [201, "application/octet-stream"],
  [202, "application/json"],
  [299, ""],
])("H45: a %i with the challenge confirms, also as %j", async (status, type) => {
  await using callback = await startCallbackServer();
  callback.answerVerifications((asked) => ({
    ...confirming(asked),
    status,
    headers: type === "" ? {} : { "Content-Type": type },
  }));
  expect(await verifiedAtHub(hub, formFor(hub, callback.url()))).toBe(true);
  const document = await next();
  await waitUntil(() => expect(callback.deliveries.map(({ body }) => body.toString())).toEqual([document]));
});

test("H10, H11: a renewal that fails leaves secret and lease, one that succeeds replaces them", async () => {
  await using callback = await startCallbackServer();
  const renewal = (secret: string, lease: string) =>
    formFor(hub, callback.url(), { "hub.secret": secret, "hub.lease_seconds": lease });
  await verifiedAtHub(hub, renewal("old", "600"));
  const signed = async () => {
    const before = callback.deliveries.length;
    await next();
    await waitUntil(() => expect(callback.deliveries).toHaveLength(before + 1));
    return callback.deliveries.at(-1)?.headers["x-hub-signature"];
  };
  callback.answerVerifications({ status: 404 });
  // Were its lease of a second taken over, nothing would be delivered any more.
  expect(await verifiedAtHub(hub, renewal("forged", "1"))).toBe(false);
  const asked = Date.now();
  await waitUntil(() => expect(Date.now()).toBeGreaterThan(asked + 1000));
  const by = (secret: string) => {
    const body = callback.deliveries.at(-1)?.body ?? "";
    return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
  };
  expect(await signed()).toBe(by("old"));
  callback.answerVerifications(confirming);
  await verifiedAtHub(hub, renewal("new", "600"));
  expect(await signed()).toBe(by("new"));
});

test("H12, w3c/websub #47: a renewal without a secret ends the signing", async () => {
  await using callback = await startCallbackServer();
  await verifiedAtHub(hub, formFor(hub, callback.url(), { "hub.secret": "s" }));
  await next();
  await waitUntil(() => expect(callback.deliveries).toHaveLength(1));
  await verifiedAtHub(hub, formFor(hub, callback.url()));
  await next();
  await waitUntil(() => expect(callback.deliveries).toHaveLength(2));
  const signatures = callback.deliveries.map(({ headers }) => "x-hub-signature" in headers);
  expect(signatures).toEqual([true, false]);
});

test("H47, H48, w3c/websub #177: a lease that ended is not delivered to, and one that was renewed is", async () => {
  await using short = await startCallbackServer();
  await using renewed = await startCallbackServer();
  const lease = { "hub.lease_seconds": "1" };
  for (const server of [short, renewed]) await verifiedAtHub(hub, formFor(hub, server.url(), lease));
  const asked = Date.now();
  await verifiedAtHub(hub, formFor(hub, renewed.url(), { "hub.lease_seconds": "60" }));
  await waitUntil(() => expect(Date.now()).toBeGreaterThan(asked + 1000));
  const document = await next();
  await waitUntil(() => expect(renewed.deliveries.map(({ body }) => body.toString())).toContain(document));
  expect(short.deliveries.map(({ body }) => body.toString())).not.toContain(document);
  await waitUntil(async () =>
    expect(await sumOf(hub, "hub_subscriptions_ended_total", /reason="lease"/)).toBeGreaterThan(0),
  );
});

test("H35: a subscription is confirmed once; the hub does not ask again by itself", async () => {
  await using callback = await startCallbackServer();
  await verifiedAtHub(hub, formFor(hub, callback.url()));
  for (let i = 0; i < 3; i += 1) await next();
  await waitUntil(() => expect(callback.deliveries).toHaveLength(3));
  expect(callback.verifications).toHaveLength(1);
});

test("H49, H50, w3c/websub #17: leases end: ten days unless asked otherwise, 31 at the most, and no configuration makes them endless", async () => {
  const { config } = await loadConfig({ flags: {}, env: {}, tokens: "read" });
  expect(config.leases).toEqual({ default: 864_000, min: 300, max: 2_678_400 });
  await expect(startTestHub({ yaml: "leases: { max: 366d }\n" })).rejects.toThrow("1s to 365d");
});
