import { expect, test } from "vitest";
import { acceptSubscriptionRequests, type SubscriptionForm } from "../../src/subscriptions/accept-request.ts";
import { subscriptionIdOf } from "../../src/subscriptions/subscription-id.ts";
import { createHostGate } from "../../src/subscriptions/host-gate.ts";
import { createUnconfirmedBudget } from "../../src/subscriptions/unconfirmed-budget.ts";
import { createVerificationQueue } from "../../src/subscriptions/verification-queue.ts";
import { comparableUrl } from "../../src/protocol/websub.ts";
import { confirming, startCallbackServer } from "../support/callback-server.ts";
import { channel, startIntentParts } from "../support/intent.ts";

const leases = { default: 864_000, min: 300, max: 2_678_400 };

async function start(
  options: { perHost?: number; now?: () => number; mayCall?: (url: string) => boolean } = {},
) {
  const { perHost = 100, now = Date.now, mayCall = () => true } = options;
  const parts = await startIntentParts({ now });
  const channels = {
    byTopic: (topic: string) => (comparableUrl(topic) === comparableUrl(channel.topic) ? channel : undefined),
  };
  const { verify } = parts.verifier;
  const budget = createUnconfirmedBudget(now);
  const queue = createVerificationQueue({ verify, atHost: createHostGate(10), budget, perHost });
  const accept = acceptSubscriptionRequests({ ...parts, channels, queue, mayCall, leases, now });
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
    accept,
    settled: () => queue.settled(),
    subscribeForm,
    unsubscribeForm,
    [Symbol.asyncDispose]: async () => {
      parts.callback.answerVerifications({ status: 404 });
      await parts.callback[Symbol.asyncDispose]();
      await queue.settled();
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

test("H22: what waits for one silent callback is bounded, and the refusal says so", async () => {
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

test("H22: what waits for the callbacks of one host is bounded, whatever their paths", async () => {
  await using hub = await start({ perHost: 3 });
  await using other = await startCallbackServer();
  hub.callback.answerVerifications({ hang: true });
  const at = (path: string) => hub.subscribeForm({ callback: hub.callback.url(path) });
  for (const path of ["/a", "/b?k=1", "/c"]) expect((await hub.accept(at(path))).kind).toBe("accepted");
  expect(await hub.accept(at("/d"))).toEqual({
    kind: "too-busy",
    retryAfter: 30,
    reason: `3 requests for callbacks at ${new URL(hub.callback.origin).host} wait for their verification (limits.verificationsPerHost). Send the request again later.`,
  });
  expect((await hub.accept(hub.subscribeForm({ callback: other.url() }))).kind).toBe("accepted");
});

test("H22: a host whose callbacks do not confirm is asked 30 times within ten minutes, and then no more", async () => {
  let time = 1_750_000_000_000;
  await using hub = await start({ now: () => time });
  hub.callback.answerVerifications({ status: 404 });
  const at = (path: string) => hub.subscribeForm({ callback: hub.callback.url(path) });
  for (let i = 0; i < 30; i += 1) {
    expect((await hub.accept(at(`/${i}`))).kind).toBe("accepted");
    time += 1000;
  }
  await hub.settled();
  const refused = await hub.accept(at("/31"));
  expect(refused).toMatchObject({ kind: "too-busy", reason: expect.stringContaining("did not confirm 30") });
  expect(refused).toHaveProperty("retryAfter", expect.closeTo(600, -2));
  expect(hub.callback.verifications).toHaveLength(30);
  time += 600_000;
  expect((await hub.accept(at("/31"))).kind).toBe("accepted");
});

test("H22: those who confirm use up nothing, and an active subscription is renewed whatever others at its host did", async () => {
  await using hub = await start();
  const at = (path: string) => hub.subscribeForm({ callback: hub.callback.url(path) });
  for (let i = 0; i < 40; i += 1) expect((await hub.accept(at(`/${i}`))).kind).toBe("accepted");
  await hub.settled();
  hub.callback.answerVerifications({ status: 404 });
  for (let i = 100; i < 130; i += 1) await hub.accept(at(`/${i}`));
  await hub.settled();
  expect((await hub.accept(at("/other"))).kind).toBe("too-busy");
  hub.callback.answerVerifications(confirming);
  expect((await hub.accept({ ...at("/7"), leaseSeconds: 900 })).kind).toBe("accepted");
  await hub.settled();
  expect(await hub.find(hub.callback.url("/7"))).toMatchObject({ leaseSeconds: 900 });
});

test("at one host ten verifications run at the same time, the others wait for them", async () => {
  await using hub = await start();
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  hub.callback.answerVerifications(async (asked) => {
    await released;
    return confirming(asked);
  });
  for (let i = 0; i < 25; i += 1)
    await hub.accept(hub.subscribeForm({ callback: hub.callback.url(`/${i}`) }));
  await expect.poll(() => hub.callback.verifications.length).toBe(10);
  release();
  await hub.settled();
  expect(hub.callback.verifications).toHaveLength(25);
});

test("H25: a callback that is not allowed cannot be subscribed, but can be unsubscribed", async () => {
  await using hub = await start({ mayCall: () => false });
  expect(await hub.accept(hub.subscribeForm())).toEqual({
    kind: "callback-not-allowed",
    reason:
      "hub.callback is not among the callbacks that this hub delivers to (callbacks.allow in its configuration). Ask who runs it.",
  });
  expect((await hub.accept(hub.unsubscribeForm)).kind).toBe("accepted");
  expect(hub.logged()).toContain("subscription request refused");
  expect(hub.logged()).not.toContain("/callback");
});
