import { expect, test } from "vitest";
import { acceptSubscriptionRequests, type SubscriptionForm } from "../../src/subscriptions/accept-request.ts";
import { subscriptionIdOf } from "../../src/subscriptions/subscription-id.ts";
import type { IntentRequest } from "../../src/subscriptions/subscription.ts";
import { comparableUrl } from "../../src/protocol/websub.ts";
import { confirming } from "../support/callback-server.ts";
import { channel, startIntentParts } from "../support/intent.ts";

const leases = { default: 864_000, min: 300, max: 2_678_400 };

async function start() {
  const parts = await startIntentParts();
  const channels = {
    byTopic: (topic: string) => (comparableUrl(topic) === comparableUrl(channel.topic) ? channel : undefined),
  };
  const verify = (request: IntentRequest) => parts.verifier.verify(request);
  const requests = acceptSubscriptionRequests({
    channels,
    store: parts.store,
    verify,
    leases,
    now: Date.now,
  });
  const subscribeForm = (changes: { secret?: string; leaseSeconds?: number; callback?: string } = {}) =>
    ({
      kind: "subscribe",
      topic: channel.topic,
      callback: parts.callback.url(),
      secret: undefined,
      leaseSeconds: undefined,
      ...changes,
    }) satisfies SubscriptionForm;
  const unsubscribeForm = {
    kind: "unsubscribe",
    topic: channel.topic,
    callback: parts.callback.url(),
  } as const;
  return {
    ...parts,
    ...requests,
    subscribeForm,
    unsubscribeForm,
    [Symbol.asyncDispose]: async () => {
      parts.callback.answerVerifications({ status: 404 });
      await parts.callback[Symbol.asyncDispose]();
      await requests.settled();
      await parts[Symbol.asyncDispose]();
    },
  };
}

test("H20, H21: a request is accepted, and verified at once in the background", async () => {
  await using hub = await start();
  expect(await hub.accept(hub.subscribeForm({ secret: "s" }))).toEqual({ kind: "accepted" });
  await hub.settled();
  expect(await hub.find()).toMatchObject({ secret: "s", topic: channel.topic, callback: hub.callback.url() });
});

test("H24: the answer waits for no verification and does not depend on it", async () => {
  await using hub = await start();
  hub.callback.answerVerifications({ hang: true });
  expect(await hub.accept(hub.subscribeForm())).toEqual({ kind: "accepted" });
  expect(await hub.accept(hub.subscribeForm({ callback: "http://10.0.0.1/never" }))).toEqual({
    kind: "accepted",
  });
  expect(await hub.accept(hub.unsubscribeForm)).toEqual({ kind: "accepted" });
});

test("an accepted request survives the process: it is stored before the answer", async () => {
  await using hub = await start();
  hub.callback.answerVerifications({ hang: true });
  await hub.accept(hub.subscribeForm({ secret: "s" }));
  expect(await hub.unfinished()).toMatchObject([
    { mode: "subscribe", secret: "s", callback: hub.callback.url() },
  ]);
});

test("H22, H23: a topic that is not here is refused, by its name and with the place to look", async () => {
  await using hub = await start();
  const answer = await hub.accept({ ...hub.subscribeForm(), topic: "https://hub.example/other" });
  expect(answer).toEqual({
    kind: "unknown-topic",
    reason:
      "hub.topic https://hub.example/other is not a topic of this hub. Its topics are in the Capability Lists that /.well-known/resourcesync leads to.",
  });
  expect(await hub.unfinished()).toEqual([]);
});

test.each([
  [undefined, 864_000],
  [600, 600],
  [1, 300],
  [99_999_999, 2_678_400],
  [Number("9".repeat(400)), 2_678_400],
])("H7, H46, H49: who asks for a lease of %s seconds is granted %i", async (leaseSeconds, granted) => {
  await using hub = await start();
  await hub.accept({ ...hub.subscribeForm(), leaseSeconds });
  await hub.settled();
  expect((await hub.find())?.leaseSeconds).toBe(granted);
  expect(hub.callback.verifications[0]?.parameters.get("hub.lease_seconds")).toBe(String(granted));
});

test("H9, H15: the pair is the same however its URLs are escaped; another callback is another subscription", async () => {
  const id = subscriptionIdOf(channel.id, channel.topic, "https://sub.example/~c");
  expect(
    subscriptionIdOf(channel.id, channel.topic.replace("maps", "m%61ps"), "HTTPS://SUB.example:443/%7ec"),
  ).toBe(id);
  expect(subscriptionIdOf(channel.id, channel.topic, "https://sub.example/~d")).not.toBe(id);
  expect(id).toMatch(/^[\w-]{22}$/);
});

test("H5: a subscription that is active can be asked for again", async () => {
  await using hub = await start();
  await hub.accept(hub.subscribeForm());
  await hub.settled();
  await hub.accept(hub.subscribeForm({ secret: "new" }));
  await hub.settled();
  expect((await hub.find())?.secret).toBe("new");
});

test("H10: of requests for one pair the latest has the last word, though the first is slower to verify", async () => {
  await using hub = await start();
  let asked = 0;
  hub.callback.answerVerifications((verification) => {
    asked += 1;
    return { ...confirming(verification), delay: asked === 1 ? 200 : 0 };
  });
  await hub.accept(hub.subscribeForm({ secret: "first" }));
  await hub.accept(hub.subscribeForm({ secret: "second" }));
  await hub.settled();
  expect((await hub.find())?.secret).toBe("second");
  await hub.accept(hub.subscribeForm({ secret: "third" }));
  await hub.accept(hub.unsubscribeForm);
  await hub.settled();
  expect(await hub.find()).toBeUndefined();
});

test("a silent callback makes nobody else wait", async () => {
  await using hub = await start();
  hub.callback.answerVerifications((verification) =>
    verification.target.startsWith("/silent") ? { hang: true } : confirming(verification),
  );
  for (let i = 0; i < 3; i += 1)
    await hub.accept(hub.subscribeForm({ callback: hub.callback.url("/silent") }));
  await hub.accept(hub.subscribeForm());
  await expect.poll(() => hub.find()).toBeDefined();
});

test("what waits for one silent callback is bounded, and the refusal says so", async () => {
  await using hub = await start();
  hub.callback.answerVerifications({ hang: true });
  const answers = [];
  for (let i = 0; i < 6; i += 1) answers.push((await hub.accept(hub.subscribeForm())).kind);
  expect(answers).toEqual([...Array.from({ length: 5 }, () => "accepted"), "too-busy"]);
  expect(await hub.accept(hub.subscribeForm({ callback: hub.callback.url("/other") }))).toEqual({
    kind: "accepted",
  });
});

test("requests that come at the same moment pass no limit that those one after the other keep to", async () => {
  await using hub = await start();
  hub.callback.answerVerifications({ hang: true });
  const answers = await Promise.all(Array.from({ length: 50 }, () => hub.accept(hub.subscribeForm())));
  expect(answers.filter(({ kind }) => kind === "accepted")).toHaveLength(5);
});
