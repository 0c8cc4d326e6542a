import { expect, test } from "vitest";
import { discoverHub } from "../../src/client/discover-hub.ts";
import { keepSubscribed, SubscriptionRefused } from "../../src/client/keep-subscribed.ts";
import { ListenRefused } from "../../src/client/live-connection.ts";
import { listenToChannel } from "../../src/client/listen-to-channel.ts";
import { createPublisher } from "../../src/client/create-publisher.ts";
import { startRedirectingServer, startTopicServer } from "./redirecting-server.ts";
import { runCli } from "../cli/run-cli.ts";
import { changeNotification } from "../support/documents.ts";
import { startPrivateHub, subscriberToken } from "../support/private-hub.ts";
import { publisherToken } from "../support/start-hub.ts";
import { startReceiver } from "./receiver-server.ts";

const channel = "/sets/secret/change-notification";

test("listenToChannel reads a private channel with a token, or with what gets one for each connection", async () => {
  await using hub = await startPrivateHub();
  for (const token of [subscriberToken, async () => subscriberToken]) {
    for await (const message of listenToChannel(`${hub.baseUrl}${channel}`, { after: "earliest", token })) {
      expect(message).toMatchObject({ type: "notification", payload: changeNotification(1) });
      break;
    }
  }
  const without = listenToChannel(`${hub.baseUrl}${channel}`, { after: "earliest" });
  await expect(without.next()).rejects.toThrow(ListenRefused);
});

test("keepSubscribed finds the hub of a private topic, subscribes and unsubscribes with a token", async () => {
  await using hub = await startPrivateHub();
  await using callback = await startReceiver();
  const topic = `${hub.baseUrl}${channel}`;
  const kept = await keepSubscribed({ receiver: callback.receiver, topic, token: subscriberToken });
  expect(kept.hub).toBe(`${hub.baseUrl}/websub`);
  expect(await kept.unsubscribe()).toEqual({ kind: "unsubscribed" });
  await expect(keepSubscribed({ receiver: callback.receiver, topic })).rejects.toThrow(SubscriptionRefused);
});

test("a token is not sent to a hub at another server that a topic names; one that is given gets it", async () => {
  await using elsewhere = await startRedirectingServer();
  await using topics = await startTopicServer(`${elsewhere.origin}/websub`);
  await using callback = await startReceiver();
  const wish = { receiver: callback.receiver, topic: topics.topic, token: subscriberToken };
  await expect(keepSubscribed(wish)).rejects.toThrow(/names the hub .* at another server/);
  expect(elsewhere.authorizations).toEqual([]);
  await expect(keepSubscribed({ ...wish, hub: `${elsewhere.origin}/websub` })).rejects.toThrow("404");
  expect(elsewhere.authorizations).toEqual([`Bearer ${subscriberToken}`]);
});

test("a publisher of a private set goes on where its last interval ended", async () => {
  await using hub = await startPrivateHub();
  const publisher = createPublisher({ channelUrl: `${hub.baseUrl}${channel}`, token: publisherToken });
  const outcome = await publisher.publish([{ uri: "https://maps.example.org/maps/2", change: "updated" }]);
  expect(outcome).toMatchObject({ kind: "accepted", warnings: [] });
  const latest = await hub.get(channel, { Authorization: `Bearer ${subscriberToken}` });
  expect(await latest.text()).toContain('from="2026-11-20T00:20:00Z"');
});

test("a redirect to another server does not take the token along", async () => {
  await using elsewhere = await startRedirectingServer();
  await using first = await startRedirectingServer(elsewhere.origin);
  await discoverHub(`${first.origin}/topic`, { token: subscriberToken });
  expect(first.authorizations).toEqual([`Bearer ${subscriberToken}`, `Bearer ${subscriberToken}`]);
  expect(elsewhere.authorizations).toEqual([undefined, undefined]);
});

test("`listen` takes the token by flag or variable, and says no more than that there is nothing without", async () => {
  await using hub = await startPrivateHub();
  const url = `${hub.baseUrl}${channel}`;
  const json = ["listen", url, "--json", "--after", "earliest"];
  for (const [args, env] of [
    [["--token", subscriberToken], {}],
    [[], { HUB_SUBSCRIBER_TOKEN: subscriberToken }],
  ] as const) {
    const read = await runCli([...json, ...args], env, '"caught-up"');
    expect(read.code).toBe(0);
    expect(read.output).toContain(JSON.stringify(changeNotification(1)));
  }
  const refused = await runCli(["listen", url]);
  expect(refused.code).toBe(1);
  expect(refused.errors).toContain("The hub answered 404");
  const wrong = await runCli(["listen", url], { HUB_SUBSCRIBER_TOKEN: "not-a-token-of-this-hub" });
  expect(wrong.errors).toContain("The hub answered 401");
  expect(wrong.errors).not.toContain("not-a-token-of-this-hub");
}, 60_000);
