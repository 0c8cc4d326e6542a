import { describe, expect, test } from "vitest";
import { newToken } from "../../src/security/access-token.ts";
import { startCallbackServer } from "../support/callback-server.ts";
import { changeNotification } from "../support/documents.ts";
import { engineNames } from "../support/engines.ts";
import { type HubFile, writeHubFile } from "../support/hub-file.ts";
import { type HubProcess, startHubProcess } from "../support/hub-process.ts";
import {
  asked,
  declareSecret,
  publishSecret,
  received,
  secretTopic,
  subscribeToSecret,
  unauthorisedEndings,
} from "../support/private-hub-file.ts";
import { waitUntil } from "../support/wait-until.ts";

const [leaving, staying, other] = [newToken("subscriber"), newToken("subscriber"), newToken("subscriber")];

async function reload(hub: HubProcess, times = 1): Promise<void> {
  hub.signal("SIGHUP");
  await waitUntil(() =>
    expect(hub.output().split("tokens, certificates and keys were read anew").length - 1).toBe(times),
  );
}

describe.each(engineNames)("on the %s engine", (engine) => {
  test("a callback that was subscribed with a token that is taken away gets nothing more, and is told so; others stay", async () => {
    await using settings = await writeHubFile({ engine });
    await using callback = await startCallbackServer();
    await declareSecret(settings, "private", { friend: [leaving], library: [staying] });
    await using hub = await startHubProcess(settings.file, settings.port);
    await subscribeToSecret(settings, callback, { target: "/friend", token: leaving, number: 1 });
    await subscribeToSecret(settings, callback, { target: "/library", token: staying, number: 2 });
    await waitUntil(() => expect(received(callback, "/friend")).toHaveLength(2));

    await declareSecret(settings, "private", { library: [staying] });
    await reload(hub);
    await publishSecret(settings, 3);
    await waitUntil(() => expect(received(callback, "/library")).toContain(changeNotification(3)));
    await waitUntil(() => expect(asked(callback, "/friend")).toEqual(["subscribe", "denied"]));
    expect(received(callback, "/friend")).toEqual([1, 2].map((each) => changeNotification(each)));
    expect(asked(callback, "/library")).toEqual(["subscribe"]);

    const told = callback.verifications.find(({ target }) => target.startsWith("/friend?hub.mode=denied"));
    expect(Object.fromEntries(told?.parameters ?? [])).toEqual({
      "hub.mode": "denied",
      "hub.topic": secretTopic(settings),
      "hub.reason": expect.stringContaining("Subscribe again with a token"),
    });
    expect(await unauthorisedEndings(settings)).toBe(1);
    expect(hub.output()).toMatch(/"holder":"friend".*nobody's right to read the private set covers it/);
  }, 60_000);

  test("a token that is replaced by another of the same holder ends no subscription", async () => {
    await using settings = await writeHubFile({ engine });
    await using callback = await startCallbackServer();
    await declareSecret(settings, "private", { friend: [leaving] });
    await using hub = await startHubProcess(settings.file, settings.port);
    await subscribeToSecret(settings, callback, { target: "/friend", token: leaving, number: 1 });

    await declareSecret(settings, "private", { friend: [other] });
    await reload(hub);
    await publishSecret(settings, 2);
    await waitUntil(() => expect(received(callback, "/friend")).toContain(changeNotification(2)));
    expect(asked(callback, "/friend")).toEqual(["subscribe"]);
    expect(await unauthorisedEndings(settings)).toBe(0);
  }, 60_000);

  test("when a set becomes private, callbacks of nobody get nothing more, not even what waited for them", async () => {
    await using settings = await writeHubFile({ engine });
    await using callback = await startCallbackServer();
    await declareSecret(settings, "public", {});
    {
      await using before = await startHubProcess(settings.file, settings.port);
      await subscribeToSecret(settings, callback, { target: "/anybody", number: 1 });
      callback.answerDeliveries({ status: 500 });
      await publishSecret(settings, 2);
      await waitUntil(() => expect(received(callback, "/anybody")).toContain(changeNotification(2)));
      expect(await before.end("SIGTERM")).toBe(0);
    }
    const attempts = received(callback, "/anybody").length;
    callback.answerDeliveries({ status: 204 });

    await declareSecret(settings, "private", { library: [staying] });
    await using hub = await startHubProcess(settings.file, settings.port);
    await waitUntil(() => expect(asked(callback, "/anybody")).toEqual(["subscribe", "denied"]));
    await subscribeToSecret(settings, callback, { target: "/library", token: staying, number: 3 });
    expect(received(callback, "/anybody")).toHaveLength(attempts);
    expect(await unauthorisedEndings(settings)).toBe(1);
    expect(hub.output()).toContain("nobody's right to read the private set covers it");
  }, 60_000);
});

test("of two processes on one Redis, the one that was told of other tokens ends the subscription for both", async () => {
  await using first = await writeHubFile({ engine: "redis" });
  const prefix = `t${crypto.randomUUID().slice(0, 8)}`;
  const options = { engine: "redis", baseUrl: first.baseUrl, prefix } as const;
  await using one = await writeHubFile(options);
  await using two = await writeHubFile(options);
  await using callback = await startCallbackServer();
  const both: readonly HubFile[] = [one, two];
  for (const each of both) await declareSecret(each, "private", { friend: [leaving], library: [staying] });
  await using told = await startHubProcess(one.file, one.port);
  await using untold = await startHubProcess(two.file, two.port);
  await subscribeToSecret(one, callback, { target: "/friend", token: leaving, number: 1 });
  await subscribeToSecret(two, callback, { target: "/library", token: staying, number: 2 });
  await waitUntil(() => expect(received(callback, "/friend")).toHaveLength(2));

  await declareSecret(one, "private", { library: [staying] });
  await reload(told);
  await waitUntil(() => expect(asked(callback, "/friend")).toEqual(["subscribe", "denied"]));
  await publishSecret(two, 3);
  await waitUntil(() => expect(received(callback, "/library")).toContain(changeNotification(3)));
  expect(received(callback, "/friend")).toHaveLength(2);
  expect([await unauthorisedEndings(one), await unauthorisedEndings(two)]).toEqual([1, 0]);
  expect(await untold.end("SIGTERM")).toBe(0);
}, 60_000);
