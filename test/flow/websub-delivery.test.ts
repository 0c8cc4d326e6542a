import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startCallbackServer } from "../support/callback-server.ts";
import { changeNotification } from "../support/documents.ts";
import { startTestHub, type TestHub } from "../support/start-hub.ts";
import { waitUntil } from "../support/wait-until.ts";
import { formFor, postToHub, publishNext, sumOf, topicOf, verifiedAtHub } from "../support/websub-forms.ts";

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub[Symbol.asyncDispose]());

const next = () => publishNext(hub, changeNotification);
const rawValues = (rawHeaders: readonly string[], name: string) =>
  rawHeaders.filter((_, i, all) => i % 2 === 1 && all[i - 1]?.toLowerCase() === name);

test("H60, H62, H75: the whole payload is POSTed, byte for byte, to the exact callback", async () => {
  await using callback = await startCallbackServer();
  await verifiedAtHub(hub, formFor(hub, callback.url("/a/../b/%7E?x='|")));
  const document = await next();
  await waitUntil(() => expect(callback.deliveries).toHaveLength(1));
  expect(callback.deliveries[0]).toMatchObject({ method: "POST", target: "/a/../b/%7E?x='|" });
  expect(callback.deliveries[0]?.body.toString()).toBe(document);
});

test("H63, w3c/websub #174: nothing is left out or merged: each notification comes whole", async () => {
  await using callback = await startCallbackServer();
  await verifiedAtHub(hub, formFor(hub, callback.url()));
  callback.answerDeliveries({ delay: 50 });
  const documents = [await next(), await next(), await next()];
  await waitUntil(() => expect(callback.deliveries).toHaveLength(3));
  expect(callback.deliveries.map(({ body }) => body.toString())).toEqual(documents);
});

test("H61, w3c/websub #84: of the headers of the publication only Content-Type goes on, as ResourceSync wants it", async () => {
  await using callback = await startCallbackServer();
  await verifiedAtHub(hub, formFor(hub, callback.url()));
  const headers = {
    "Content-Type": "application/xml; charset=utf-8",
    "Cache-Control": "max-age=7",
    "Content-Language": "de",
    "X-Of-The-Source": "1",
    Cookie: "a=b",
    ETag: '"x"',
    Link: '<https://e.org/>; rel="self"',
  };
  expect((await hub.publish(changeNotification(9000), { headers })).status).toBe(202);
  await waitUntil(() => expect(callback.deliveries).toHaveLength(1));
  const [delivery] = callback.deliveries;
  expect(Object.keys(delivery?.headers ?? {}).toSorted()).toEqual([
    "connection",
    "content-length",
    "content-type",
    "host",
    "link",
    "user-agent",
    "webhook-attempt",
    "webhook-id",
    "webhook-timestamp",
  ]);
  expect(delivery?.headers["content-type"]).toBe("application/xml");
});

test("H64, H65, H66, H67, w3c/websub #156: one Link field, with the hub and self as they are discovered, not as they were subscribed", async () => {
  await using callback = await startCallbackServer();
  const topic = topicOf(hub).replace("maps", "m%61ps");
  await verifiedAtHub(hub, formFor(hub, callback.url(), { "hub.topic": topic }));
  await next();
  await waitUntil(() => expect(callback.deliveries).toHaveLength(1));
  const fields = rawValues(callback.deliveries[0]?.rawHeaders ?? [], "link");
  expect(fields).toEqual([`<${hub.baseUrl}/websub>; rel="hub", <${topicOf(hub)}>; rel="self"`]);
  const discovered = (await fetch(topicOf(hub))).headers.get("link") ?? "";
  for (const link of [`<${hub.baseUrl}/websub>; rel="hub"`, `<${topicOf(hub)}>; rel="self"`])
    expect(discovered).toContain(link);
});

test.each([200, 201, 202, 204, 299])("H68: a %i is success, and the next one follows", async (status) => {
  await using callback = await startCallbackServer();
  callback.answerDeliveries({ status });
  await verifiedAtHub(hub, formFor(hub, callback.url()));
  const documents = [await next(), await next()];
  await waitUntil(() => expect(callback.deliveries).toHaveLength(2));
  expect(callback.deliveries.map(({ body }) => body.toString())).toEqual(documents);
});

test("H69: a 410 ends the subscription", async () => {
  await using callback = await startCallbackServer();
  await using other = await startCallbackServer();
  for (const server of [callback, other]) await verifiedAtHub(hub, formFor(hub, server.url()));
  callback.answerDeliveries({ status: 410 });
  await next();
  await next();
  await waitUntil(() => expect(other.deliveries).toHaveLength(2));
  await waitUntil(async () =>
    expect(await sumOf(hub, "hub_subscriptions_ended_total", /reason="gone"/)).toBe(1),
  );
  expect(callback.deliveries).toHaveLength(1);
});

test.each([301, 302, 307, 308, 400, 404, 429, 500])(
  "H70, H72, w3c/websub #15: a %i is a failure, is not followed, and is tried again",
  async (status) => {
    await using callback = await startCallbackServer();
    await using elsewhere = await startCallbackServer();
    let failures = 1;
    callback.answerDeliveries(() =>
      failures-- > 0 ? { status, headers: { Location: elsewhere.url() } } : { status: 204 },
    );
    await verifiedAtHub(hub, formFor(hub, callback.url()));
    const document = await next();
    await waitUntil(() => expect(callback.deliveries).toHaveLength(2));
    expect(callback.deliveries.map(({ body }) => body.toString())).toEqual([document, document]);
    expect(elsewhere.deliveries).toEqual([]);
  },
);

test("H71: an answer that never ends is not read to its end, and is the success that its status says", async () => {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? "", "http://x");
    if (request.method === "GET") {
      response.end(searchParams.get("hub.challenge"));
      return;
    }
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", () => bodies.push(body));
    const more = setInterval(() => response.write("x".repeat(10_000)), 1);
    response.on("close", () => clearInterval(more));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  await verifiedAtHub(hub, formFor(hub, `http://127.0.0.1:${port}/`));
  const documents = [await next(), await next()];
  await waitUntil(() => expect(bodies).toEqual(documents));
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test("H73, H74, w3c/websub #119: past the limits that notification is given up, the subscription stays and gets the next one", async () => {
  await using callback = await startCallbackServer();
  await using short = await startTestHub({
    yaml: "delivery: { timeout: 1s, retry: [100ms], giveUpAfter: 1s, exhausted: park }\n",
  });
  await verifiedAtHub(short, formFor(short, callback.url()));
  callback.answerDeliveries({ status: 500 });
  const lost = await publishNext(short, changeNotification);
  await waitUntil(async () => expect(await sumOf(short, "hub_dead_letters_total")).toBe(1));
  callback.answerDeliveries({ status: 204 });
  const document = await publishNext(short, changeNotification);
  await waitUntil(() => expect(callback.deliveries.at(-1)?.body.toString()).toBe(document));
  const attempts = callback.deliveries.filter(({ body }) => body.toString() === lost).length;
  expect(attempts).toBeGreaterThanOrEqual(2);
  expect(attempts).toBeLessThanOrEqual(16);
  expect(await sumOf(short, "hub_subscriptions_ended_total")).toBe(0);
});

test.each(["sha1", "sha256", "sha384", "sha512"])(
  "H80, H81: with delivery.signature %s the exact bytes are signed with the secret, in lower-case hex",
  async (method) => {
    await using callback = await startCallbackServer();
    await using signing = await startTestHub({
      yaml: `delivery: { timeout: 1s, signature: ${method} }\n`,
    });
    await verifiedAtHub(signing, formFor(signing, callback.url(), { "hub.secret": "clé 🗺" }));
    await publishNext(signing, changeNotification);
    await waitUntil(() => expect(callback.deliveries).toHaveLength(1));
    const body = callback.deliveries[0]?.body ?? "";
    expect(rawValues(callback.deliveries[0]?.rawHeaders ?? [], "x-hub-signature")).toEqual([
      `${method}=${createHmac(method, "clé 🗺").update(body).digest("hex")}`,
    ]);
  },
);

test("H82, H84, w3c/websub #4: sha256 signs where nothing is configured, and a subscriber cannot ask for another", async () => {
  await using callback = await startCallbackServer();
  const more = { "hub.secret": "s", "hub.signature_algorithm": "sha1", "hub.algorithm": "sha1" };
  await verifiedAtHub(hub, formFor(hub, callback.url(), more));
  await next();
  await waitUntil(() => expect(callback.deliveries).toHaveLength(1));
  expect(callback.deliveries[0]?.headers["x-hub-signature"]).toMatch(/^sha256=/);
});

test("H83: without a secret, or with an empty one, nothing is signed", async () => {
  await using callback = await startCallbackServer();
  await verifiedAtHub(hub, formFor(hub, callback.url("/none")));
  await verifiedAtHub(hub, formFor(hub, callback.url("/empty"), { "hub.secret": "" }));
  await next();
  await waitUntil(() => expect(callback.deliveries).toHaveLength(2));
  for (const { headers } of callback.deliveries) expect(headers).not.toHaveProperty("x-hub-signature");
});

test("H75: a callback over https is called over https, and over nothing else", async () => {
  await using callback = await startCallbackServer();
  const overTls = callback.url().replace("http:", "https:");
  expect(await verifiedAtHub(hub, formFor(hub, overTls))).toBe(false);
  expect(callback.verifications).toEqual([]);
  expect((await postToHub(hub, formFor(hub, callback.url()))).status).toBe(202);
});
