import { expect, test } from "vitest";
import {
  keepSubscribed,
  type KeepSubscribedOptions,
  SubscriptionRefused,
  type SubscriptionState,
} from "../../src/client/keep-subscribed.ts";
import { waitUntil } from "../support/wait-until.ts";
import { hubSigned, startReceiver, topic } from "./receiver-server.ts";
import { startWebSubHub } from "./websub-hub.ts";

/** A hub and a receiver, and what the subscription told. */
async function startParts() {
  const hub = await startWebSubHub();
  const callback = await startReceiver();
  const states: SubscriptionState[] = [];
  return {
    hub,
    callback,
    states,
    keep: (options: Partial<KeepSubscribedOptions> = {}) =>
      keepSubscribed({
        receiver: callback.receiver,
        hub: hub.hub,
        topic,
        secret: "s3cret",
        onState: (state) => states.push(state),
        ...options,
      }),
    [Symbol.asyncDispose]: async () => {
      await callback[Symbol.asyncDispose]();
      await hub[Symbol.asyncDispose]();
    },
  };
}

test("it resolves when the hub has asked at the callback, and knows the lease", async () => {
  await using parts = await startParts();
  await using kept = await parts.keep({ leaseSeconds: 900 });
  expect(Object.fromEntries(parts.hub.requests[0]!.form)).toEqual({
    "hub.mode": "subscribe",
    "hub.topic": topic,
    "hub.callback": kept.subscription.callback,
    "hub.secret": "s3cret",
    "hub.lease_seconds": "900",
  });
  expect(kept.subscription.lease?.seconds).toBe(600);
  expect((await parts.callback.deliver("<a/>", {}, kept.subscription.callback)).status).toBe(403);
  const signed = hubSigned("<a/>", "s3cret");
  expect((await parts.callback.deliver("<a/>", signed, kept.subscription.callback)).status).toBe(200);
  const [asking, confirmed] = parts.states;
  expect(asking).toEqual({ kind: "asking", hub: parts.hub.hub, topic });
  const { endsAt = 0 } = kept.subscription.lease ?? {};
  expect(confirmed).toMatchObject({ kind: "confirmed", endsAt });
  // At 80 % of 600 seconds, a fifth is left.
  expect(confirmed?.kind === "confirmed" && endsAt - confirmed.renewsAt).toBeGreaterThan(119_000);
  expect(confirmed?.kind === "confirmed" && endsAt - confirmed.renewsAt).toBeLessThan(121_000);
});

test("without a hub, the topic tells which hub it has, and its canonical URL is subscribed to (WebSub §5.1)", async () => {
  await using parts = await startParts();
  const { origin, hub } = parts.hub;
  parts.hub.answerTopics(() => ({
    headers: { Link: `<${hub}>; rel="hub", <${topic}>; rel="self"` },
  }));
  await using kept = await parts.keep({ hub: undefined, topic: `${origin}/alias` });
  expect([kept.hub, kept.subscription.topic]).toEqual([hub, topic]);
  expect(parts.hub.requests[0]?.form.get("hub.topic")).toBe(topic);
});

test("it renews before the lease ends, at the same callback", async () => {
  await using parts = await startParts();
  parts.hub.answer(() => ({ asks: { "hub.lease_seconds": "1" } }));
  const begun = Date.now();
  await using kept = await parts.keep();
  await waitUntil(() => expect(parts.hub.requests.length).toBeGreaterThanOrEqual(3));
  expect(Date.now() - begun).toBeGreaterThan(1000);
  const callbacks = new Set(parts.hub.requests.map(({ form }) => form.get("hub.callback")));
  expect([...callbacks]).toEqual([kept.subscription.callback]);
});

test("renewals that fail are tried again, also those that are refused while the lease runs", async () => {
  await using parts = await startParts();
  parts.hub.answer((number) =>
    number === 1
      ? { asks: { "hub.lease_seconds": "3" } }
      : number === 2
        ? { status: 403, body: "not now" }
        : number === 3
          ? { status: 503 }
          : {},
  );
  await using kept = await parts.keep();
  await waitUntil(() => expect(kept.subscription.lease?.seconds).toBe(600));
  const reasons = parts.states.flatMap((state) => (state.kind === "waiting" ? [state.reason] : []));
  expect(reasons).toEqual(["The hub answered 403: not now", expect.stringContaining("503")]);
});

test("a renewal that is refused until the lease has ended ends it, and that is told", async () => {
  await using parts = await startParts();
  parts.hub.answer((number) =>
    number === 1 ? { asks: { "hub.lease_seconds": "1" } } : { status: 403, body: "never again" },
  );
  await using kept = await parts.keep();
  expect(await kept.ended).toEqual({ kind: "refused", reason: "The hub answered 403: never again" });
});

test("a first subscription that is refused or denied throws, and its callback is good for nothing any more", async () => {
  await using parts = await startParts();
  parts.hub.answer(() => ({ status: 404, body: "no such topic" }));
  await expect(parts.keep()).rejects.toThrow(/at .* was refused: The hub answered 404: no such topic/);
  parts.hub.answer(() => ({ asks: { "hub.mode": "denied", "hub.reason": "members only" } }));
  await expect(parts.keep()).rejects.toThrow(SubscriptionRefused);
  await expect(parts.keep()).rejects.toThrow("was denied: members only");
  const callback = parts.hub.requests.at(-1)?.form.get("hub.callback") ?? "";
  expect((await parts.callback.deliver("<a/>", hubSigned("<a/>", "s3cret"), callback)).status).toBe(410);
});

test("a topic that names no hub throws at once", async () => {
  await using parts = await startParts();
  const error = parts.keep({ hub: undefined, topic: parts.hub.origin });
  await expect(error).rejects.toThrow(/no Link header with rel=hub/);
});

test("a hub that is away at first is waited for, and so is a topic", async () => {
  await using parts = await startParts();
  const { hub } = parts.hub;
  let topics = 0;
  parts.hub.answerTopics(() => {
    topics += 1;
    return topics <= 2 ? { status: 503 } : { headers: { Link: `<${hub}>; rel=hub, <${topic}>; rel=self` } };
  });
  parts.hub.answer((number) => (number === 1 ? { status: 500 } : {}));
  await using kept = await parts.keep({ hub: undefined, topic: parts.hub.origin });
  expect(kept.subscription.lease?.seconds).toBe(600);
  expect(parts.states.filter(({ kind }) => kind === "waiting")).toHaveLength(2);
});

test("a denial later on ends it, with the reason", async () => {
  await using parts = await startParts();
  await using kept = await parts.keep();
  const { form } = parts.hub.requests[0]!;
  await parts.hub.askBack(form, { "hub.mode": "denied", "hub.reason": "the set is closed" });
  expect(await kept.ended).toEqual({ kind: "denied", reason: "the set is closed" });
});

test("renew() after rotateSecret() gives the hub the new secret", async () => {
  await using parts = await startParts();
  await using kept = await parts.keep();
  kept.subscription.rotateSecret("n3w");
  kept.renew();
  await waitUntil(() => expect(parts.hub.confirmations).toHaveLength(2));
  expect(parts.hub.requests.map(({ form }) => form.get("hub.secret"))).toEqual(["s3cret", "n3w"]);
});

test("unsubscribing ends it at the hub, once the hub has asked; what comes afterwards is answered with 410", async () => {
  await using parts = await startParts();
  const kept = await parts.keep();
  expect(await kept.unsubscribe()).toEqual({ kind: "unsubscribed" });
  expect(parts.hub.requests.map(({ form }) => form.get("hub.mode"))).toEqual(["subscribe", "unsubscribe"]);
  expect(parts.hub.confirmations.at(-1)).toEqual({ status: 200, body: "challenge-1" });
  expect(await kept.ended).toEqual({ kind: "stopped" });
  const late = parts.callback.deliver("<a/>", hubSigned("<a/>", "s3cret"), kept.subscription.callback);
  expect((await late).status).toBe(410);
});

test("disposing only stops renewing: the same id and secret take the subscription up again", async () => {
  await using parts = await startParts();
  const kept = await parts.keep();
  await kept[Symbol.asyncDispose]();
  expect(await kept.ended).toEqual({ kind: "stopped" });
  expect(parts.hub.requests).toHaveLength(1);
  await using again = await parts.keep({ id: kept.subscription.id });
  expect(again.subscription.callback).toBe(kept.subscription.callback);
  const signed = hubSigned("<a/>", "s3cret");
  expect((await parts.callback.deliver("<a/>", signed, again.subscription.callback)).status).toBe(200);
});

test("a signal ends the waiting for a first confirmation, and later the renewing", async () => {
  await using parts = await startParts();
  parts.hub.answer(() => ({ asks: "nothing" }));
  const stop = new AbortController();
  const waiting = parts.keep({ signal: stop.signal });
  await waitUntil(() => expect(parts.hub.requests).toHaveLength(1));
  stop.abort(new Error("shutting down"));
  await expect(waiting).rejects.toThrow("shutting down");
  parts.hub.answer(() => ({}));
  const later = new AbortController();
  const kept = await parts.keep({ signal: later.signal });
  later.abort();
  expect(await kept.ended).toEqual({ kind: "stopped" });
});
