import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { channelPage, setList } from "../../src/operations/schemas/channels.ts";
import { subscription, subscriptionPage } from "../../src/operations/schemas/subscriptions.ts";
import { problem } from "../support/answers.ts";
import { type CallbackServer, startCallbackServer } from "../support/callback-server.ts";
import { changeNotification } from "../support/documents.ts";
import { type EngineName, engineNames } from "../support/engines.ts";
import { operate } from "../support/operator.ts";
import { publisherToken, startTestHub, type TestHub } from "../support/start-hub.ts";
import { subscribe } from "../support/subscribe.ts";
import { waitUntil } from "../support/wait-until.ts";

describe("who may ask", () => {
  let hub: TestHub;
  beforeAll(async () => {
    hub = await startTestHub();
  });
  afterAll(async () => hub[Symbol.asyncDispose]());

  test.each([
    { token: "", status: 401, says: "Authorization: Bearer", challenge: 'Bearer realm="resourcesync-hub"' },
    { token: "rsa_another-admin", status: 401, says: "token new --kind admin", challenge: "invalid_token" },
    { token: publisherToken, status: 403, says: "the publisher map-software", challenge: "" },
  ])(
    "the token '$token' is answered $status, with what to do",
    async ({ token, status, says, challenge }) => {
      for (const path of ["/", "/subscriptions", "/no-such-thing"]) {
        const response = await operate(hub, path, { token });
        expect(response.status).toBe(status);
        expect(response.headers.get("Content-Type")).toBe("application/problem+json");
        expect(response.headers.get("Cache-Control")).toBe("no-store");
        expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
        expect(response.headers.get("WWW-Authenticate") ?? "").toContain(challenge);
        expect((await problem(response)).detail).toContain(says);
      }
    },
  );

  test("no page of another origin may read it", async () => {
    const response = await operate(hub, "/subscriptions");
    expect(response.status).toBe(200);
    expect([...response.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  test.each([
    ["/subscriptions?stat=paused", "The query parameter stat is not known; state is."],
    ["/subscriptions?limit=501", "The query parameter limit cannot be used"],
    ["/subscriptions?limit=ten", "The query parameter limit cannot be used"],
    ["/subscriptions?state=dead", "The query parameter state cannot be used"],
    ["/subscriptions?state=paused&state=failing", "The query parameter state stands there twice"],
    ["/subscriptions?after=WyJ4Il0", "after is no place that this hub gave out"],
    ["/channels?state=paused", "The query parameter state is not known"],
    ["/sets?x=1", "The query parameter x is not known; nothing is taken here."],
  ])("%s is refused with 400, naming what is wrong", async (path, says) => {
    const response = await operate(hub, path);
    expect(response.status).toBe(400);
    expect((await problem(response)).detail).toContain(says);
  });

  test.each([
    ["/subscriptions/nothing-of-this-name-1", "There is no subscription"],
    [`/subscriptions/${"a".repeat(22)}`, "There is no subscription"],
    ["/subscriptions?channel=maps/nothing", "no channel maps/nothing"],
    ["/nothing", "openapi.json"],
  ])("%s is answered 404, with where to look", async (path, says) => {
    const response = await operate(hub, path);
    expect(response.status).toBe(404);
    expect((await problem(response)).detail).toContain(says);
  });

  test("what is not done somewhere is answered 405, with what is", async () => {
    const response = await operate(hub, "/subscriptions", { method: "PUT" });
    expect(response.status).toBe(405);
    expect(response.headers.get("Allow")).toBe("GET");
  });
});

describe.each(engineNames)("what operators see, %s", (engine: EngineName) => {
  let hub: TestHub;
  let callbacks: CallbackServer;
  beforeAll(async () => {
    hub = await startTestHub({ engine });
    callbacks = await startCallbackServer();
    callbacks.answerDeliveries(({ target }) =>
      target.startsWith("/broken") ? { status: 500, body: "out of disk" } : { status: 204 },
    );
    await subscribe(hub, callbacks, { target: "/good?key=1" });
    await subscribe(hub, callbacks, { target: "/broken", secret: "keep this to yourself" });
    for (const n of [1, 2, 3]) await hub.publish(changeNotification(n));
  });
  afterAll(async () => {
    await callbacks[Symbol.asyncDispose]();
    await hub[Symbol.asyncDispose]();
  });

  const list = async (query = "") =>
    subscriptionPage.parse(await (await operate(hub, `/subscriptions${query}`)).json()).subscriptions;

  test("lists sets, and channels with what their logs hold", async () => {
    const { sets } = setList.parse(await (await operate(hub, "/sets")).json());
    expect(sets).toEqual([
      {
        id: "maps",
        title: "Historic maps",
        capabilityList: `${hub.baseUrl}/sets/maps/capabilitylist.xml`,
        channels: ["maps/change-notification", "maps/framework-notification"],
      },
    ]);
    const { channels } = channelPage.parse(await (await operate(hub, "/channels")).json());
    const [changes] = channels;
    expect(changes).toMatchObject({ id: "maps/change-notification", held: 3 });
    expect(changes?.newest?.position).toMatch(/-3$/);
    expect(changes?.oldest?.position).toMatch(/-1$/);
  });

  test("shows a callback that fails: how far it is behind, since when, and why", async () => {
    await waitUntil(async () => {
      const [failing] = await list("?state=failing");
      expect(failing).toMatchObject({
        channel: "maps/change-notification",
        callback: callbacks.url("/broken"),
        state: "failing",
        lag: { notifications: 3 },
        failing: { last: { status: 500 } },
        deadLetters: 0,
        signed: true,
      });
      expect(failing?.failing?.last.reason).toContain("500");
      expect(failing?.position).toMatch(/-0$/);
    });
  });

  test("filters by state, lag and callback, and finds one by the beginning of its id", async () => {
    await waitUntil(async () => expect(await list("?state=active&behind=1")).toEqual([]));
    // Attempts are recorded a moment after they were made.
    await waitUntil(async () => expect((await list("?callback=good"))[0]?.lastAttempt).toBeDefined());
    const [good] = await list("?callback=good");
    expect(good).toMatchObject({
      callback: callbacks.url("/good?key=1"),
      lag: { notifications: 0, seconds: 0 },
    });
    expect(await list("?behind=1")).toHaveLength(1);
    expect(await list("?behind=4")).toEqual([]);
    expect(await list("?channel=maps/framework-notification")).toEqual([]);
    expect(await list(`?id=${good?.id.slice(0, 8)}`)).toEqual([good]);
    expect(subscription.parse(await (await operate(hub, `/subscriptions/${good?.id}`)).json())).toEqual(good);
  });
});
