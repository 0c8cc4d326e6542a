import { expect, test } from "vitest";
import { connectEventReader } from "../live/event-reader.ts";
import { startCallbackServer } from "../support/callback-server.ts";
import { changeNotification } from "../support/documents.ts";
import { operate } from "../support/operator.ts";
import { bearer, startPrivateHub } from "../support/private-hub.ts";
import { audience, issuer, newKey, sign, startKeyServer } from "../support/token-issuer.ts";
import { waitUntil } from "../support/wait-until.ts";
import { formFor, postToHub, sumOf } from "../support/websub-forms.ts";

const key = await newKey("ES256");
const jwtOf = (url: string): string =>
  `jwt: { issuer: "${issuer}", audience: "${audience}", keys: "${url}" }\n`;

test("a JWT of the issuer reads, publishes and operates as far as its claim says", async () => {
  await using keys = await startKeyServer([key]);
  await using hub = await startPrivateHub({ yaml: jwtOf(keys.url) });
  const reader = await sign(key);
  const writer = await sign(key, { claims: { sub: "press", resourcesync: { publish: ["secret"] } } });
  const operator = await sign(key, { claims: { sub: "ops", resourcesync: { operate: true } } });
  const channel = "secret/change-notification";

  expect((await hub.get(`/sets/${channel}`, bearer(reader))).status).toBe(200);
  expect((await hub.get("/sets/other/change-notification", bearer(reader))).status).toBe(404);
  expect((await hub.publish(changeNotification(2), { channel, token: reader })).status).toBe(403);
  expect((await hub.publish(changeNotification(2), { channel, token: writer })).status).toBe(202);
  expect((await hub.publish(changeNotification(2), { token: writer })).status).toBe(403);
  expect((await operate(hub, "/sets", { token: writer })).status).toBe(403);
  expect((await operate(hub, "/sets", { token: operator })).status).toBe(200);
});

test("a forged JWT gets 401 and no reason, a private set not even that it is there", async () => {
  await using keys = await startKeyServer([key]);
  await using hub = await startPrivateHub({ yaml: jwtOf(keys.url) });
  const forged = await sign({ ...(await newKey("ES256")), kid: key.kid });
  const answers = await Promise.all(
    ["secret", "absent"].map((set) => hub.get(`/sets/${set}/change-notification`, bearer(forged))),
  );
  const [there, absent] = await Promise.all(
    answers.map(async (answer) => `${answer.status} ${await answer.text()}`),
  );
  expect(there).toBe(absent);
  expect(there).toMatch(/^401 /);
  expect(there).not.toMatch(/signature|key|kid/i);
});

test("while the issuer's keys cannot be had, a JWT gets 503 with a time to come back, and other tokens work", async () => {
  await using keys = await startKeyServer([]);
  await keys.serve({ status: 500 });
  await using hub = await startPrivateHub({ yaml: jwtOf(keys.url) });
  const answer = await hub.publish(changeNotification(2), { token: await sign(key) });
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "30"]);
  expect((await hub.publish(changeNotification(2))).status).toBe(202);
});

test("a reader of a private channel is let go when its JWT ends, with the place to resume", async () => {
  await using keys = await startKeyServer([key]);
  await using hub = await startPrivateHub({ yaml: jwtOf(keys.url) });
  // The hub allows for clocks that differ by half a minute: seven or eight seconds are left, to come in and read.
  const token = await sign(key, { expires: Math.floor(Date.now() / 1000) - 22 });
  using reader = await connectEventReader(
    `${hub.baseUrl}/sets/secret/change-notification?after=earliest`,
    bearer(token),
  );
  await reader.ended;
  expect(reader.text()).toContain("event: notification");
  expect(reader.text()).toMatch(/: the token no longer opens this channel.*\nid: \S+\n\n$/);
  await waitUntil(async () =>
    expect((await hub.get("/sets/secret/change-notification", bearer(token))).status).toBe(401),
  );
});

test("a reader of a private channel is let go when the key that signed its JWT is withdrawn; others stay", async () => {
  const other = await newKey("ES256");
  await using keys = await startKeyServer([key, other]);
  await using hub = await startPrivateHub({ yaml: jwtOf(keys.url) });
  const url = `${hub.baseUrl}/sets/secret/change-notification?after=earliest`;
  using leaving = await connectEventReader(url, bearer(await sign(key)));
  using staying = await connectEventReader(url, bearer(await sign(other)));
  let isThere = true;
  void staying.ended.then(() => (isThere = false));
  await keys.serve({ keys: [other] });
  await hub.reload();
  await leaving.ended;
  expect(leaving.text()).toMatch(/: the token no longer opens this channel.*\nid: \S+\n\n$/);
  expect(isThere).toBe(true);
});

test("a subscription that was asked for with a JWT ends with the JWT, and the callback knows when", async () => {
  await using keys = await startKeyServer([key]);
  await using hub = await startPrivateHub({ yaml: jwtOf(keys.url) });
  await using callback = await startCallbackServer();
  const channel = "secret/change-notification";
  // The hub allows for clocks that differ by half a minute.
  const token = await sign(key, { expires: Math.floor(Date.now() / 1000) - 24 });
  const form = formFor(hub, callback.url(), { "hub.topic": `${hub.baseUrl}/sets/${channel}` });
  const answer = await postToHub(hub, form, bearer(token));
  expect(answer.status).toBe(202);
  await waitUntil(async () => expect(await sumOf(hub, "hub_intent_verifications_total")).toBe(1));
  const lease = Number(callback.verifications[0]?.parameters.get("hub.lease_seconds"));
  expect(lease).toBeGreaterThan(0);
  expect(lease).toBeLessThanOrEqual(6);
  expect((await hub.publish(changeNotification(2), { channel })).status).toBe(202);
  await waitUntil(() => expect(callback.deliveries).toHaveLength(1));
  await waitUntil(async () =>
    expect((await hub.get(`/sets/${channel}`, bearer(token))).status, "the JWT has ended").toBe(401),
  );
  expect((await hub.publish(changeNotification(3), { channel })).status).toBe(202);
  await waitUntil(async () =>
    expect(await sumOf(hub, "hub_subscriptions_ended_total", /reason="lease"/)).toBe(1),
  );
  expect(callback.deliveries).toHaveLength(1);
});
