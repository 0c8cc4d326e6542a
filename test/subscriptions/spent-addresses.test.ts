import { expect, test } from "vitest";
import { createOutboundHttp } from "../../src/security/outbound-http.ts";
import { createQuestionGuard, questionsPerAddress } from "../../src/subscriptions/question-guard.ts";
import { subscriptionIdOf } from "../../src/subscriptions/subscription-id.ts";
import { openSubscriptionRequests } from "../../src/subscriptions/subscriptions.ts";
import { confirming, startCallbackServer } from "../support/callback-server.ts";
import { openEngine, silentEvents } from "../support/engines.ts";
import { channel } from "../support/intent.ts";
import { newSubscription } from "../support/new-subscription.ts";

const minute = 60_000;
const start = 1_700_000_000_000;
const { topic } = channel;

/** How subscriptions begin and end where every name leads to one address, which is counted though it is loopback. */
async function startRequests() {
  const clock = { now: start };
  const now = () => clock.now;
  const callbacks = await startCallbackServer();
  const { port } = new URL(callbacks.origin);
  const engine = await openEngine("embedded", { now });
  const { log, subscriptions, wakeUps } = engine;
  const calling = {
    allow: ["127.0.0.0/8"],
    events: silentEvents,
    userAgent: "hub/test",
    resolve: async () => [{ address: "127.0.0.1", family: 4 }],
  };
  const outbound = createOutboundHttp(calling);
  const requests = openSubscriptionRequests({
    channels: { all: [] },
    admission: { byTopic: () => channel },
    mayReceive: () => true,
    subscriptions,
    log,
    calling,
    outbound,
    questions: createQuestionGuard({ now, isCounted: () => true }),
    events: silentEvents,
    wakeUps,
    leases: { default: 600, min: 600, max: 600 },
    limits: { verificationsPerHost: 100 },
    callbacks: {},
    timeout: 5000,
    secretGrace: 0,
    abandon: new AbortController().signal,
    now,
  });
  const callbackOf = (name: string): string => `http://${name}.example:${port}/c`;
  return {
    clock,
    callbacks,
    subscriptions,
    requests,
    callbackOf,
    /** All at once; resolves when their verifications have ended. */
    async subscribe(...names: string[]): Promise<void> {
      for (const name of names) {
        const form = { topic, callback: callbackOf(name), secret: undefined, leaseSeconds: undefined };
        expect(await requests.accept({ kind: "subscribe", ...form })).toEqual({ kind: "accepted" });
      }
      await requests.settled();
    },
    isActive: async (name: string): Promise<boolean> =>
      (await subscriptions.find(channel.id, subscriptionIdOf(channel.id, topic, callbackOf(name)))) !==
      undefined,
    /** What a later sweep takes up. */
    async takeUpOverdue(): Promise<number> {
      const overdue = await subscriptions.takeOverdue(clock.now, clock.now + 2 * minute, 1000);
      await Promise.all(overdue.map(requests.takeUp));
      return overdue.length;
    },
    async [Symbol.asyncDispose]() {
      await requests.close();
      await outbound.close();
      await callbacks[Symbol.asyncDispose]();
      await engine[Symbol.asyncDispose]();
    },
  };
}

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}${n}`);

test("every callback of an active subscription is told that it has ended, however many are at one address", async () => {
  await using hub = await startRequests();
  const active = names("n", questionsPerAddress + 20).map((name) => {
    const callback = hub.callbackOf(name);
    return newSubscription(name, {
      id: subscriptionIdOf(channel.id, topic, callback),
      channel: channel.id,
      topic,
      callback,
    });
  });
  for (const subscription of active) await hub.subscriptions.activate(subscription, 0);
  for (const subscription of active) await hub.requests.revoke(subscription, "The topic is no more.");
  await hub.requests.settled();
  const told = hub.callbacks.verifications.filter(
    ({ parameters }) => parameters.get("hub.mode") === "denied",
  );
  expect(told).toHaveLength(active.length);
});

test("what is confirmed costs its address nothing: more than 300 names of it can subscribe", async () => {
  await using hub = await startRequests();
  const all = names("n", questionsPerAddress + 20);
  for (let at = 0; at < all.length; at += 80) await hub.subscribe(...all.slice(at, at + 80));
  const active = await Promise.all(all.map(hub.isActive));
  expect(active.filter(Boolean)).toHaveLength(all.length);
});

test("a request whose address was asked enough is not forgotten: its callback is asked when it can be again", async () => {
  await using hub = await startRequests();
  hub.callbacks.answerVerifications({ status: 404 });
  await hub.subscribe(...names("stranger", questionsPerAddress));
  hub.callbacks.answerVerifications(confirming);
  hub.clock.now += minute;
  await hub.subscribe("friend");
  expect(await hub.isActive("friend")).toBe(false);
  hub.clock.now += 2 * minute;
  expect(await hub.takeUpOverdue()).toBe(1);
  expect(await hub.isActive("friend")).toBe(false);
  hub.clock.now += 8 * minute;
  await hub.takeUpOverdue();
  expect(await hub.isActive("friend")).toBe(true);
  expect(hub.callbacks.verifications).toHaveLength(questionsPerAddress + 1);
});
