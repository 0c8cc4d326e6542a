import { expect, test } from "vitest";
import { reasonOfDenial } from "../../src/subscriptions/deny.ts";
import { revokeSubscriptions } from "../../src/subscriptions/revoke.ts";
import { append, channel, startIntentParts } from "../support/intent.ts";

const refusing = async () => ({ kind: "refused", reason: "The publisher says no." }) as const;
const denials = (hub: Awaited<ReturnType<typeof startIntentParts>>) =>
  hub.callback.verifications.filter(({ parameters }) => parameters.get("hub.mode") === "denied");

test("H32: a request that is refused after its 202 is denied at the callback, after its own query and without a challenge", async () => {
  await using hub = await startIntentParts({ validate: refusing });
  const callback = hub.callback.url("/c?k=%7E&hub.mode=mine");
  await hub.verifier.verify(await hub.remembered({ callback, secret: "hush-hush" }));
  expect(hub.callback.verifications.map(({ target }) => target)).toEqual([
    `/c?k=%7E&hub.mode=mine&hub.mode=denied&hub.topic=${encodeURIComponent(channel.topic)}` +
      "&hub.reason=The%20publisher%20says%20no.",
  ]);
  expect(await hub.find(callback)).toBeUndefined();
  expect(await hub.unfinished()).toEqual([]);
  expect(hub.logged()).not.toMatch(/hush|%7E/);
});

test.each([200, 204, 302, 404, 500])(
  "H32, w3c/websub #183: that a %i answers the denial changes nothing",
  async (status) => {
    await using hub = await startIntentParts({ validate: refusing });
    hub.callback.answerVerifications({ status, headers: { Location: hub.callback.url("/elsewhere") } });
    await hub.verifier.verify(await hub.remembered());
    expect(hub.callback.verifications).toHaveLength(1);
    expect(await hub.unfinished()).toEqual([]);
  },
);

test("H32: a denial that was not answered is sent once more, and then no more", async () => {
  await using hub = await startIntentParts({ validate: refusing, timeout: 100 });
  hub.callback.answerVerifications({ hang: true });
  await hub.verifier.verify(await hub.remembered());
  expect(denials(hub)).toHaveLength(2);
  expect(hub.logged()).toContain("did not answer within 0.1 s");
});

test("H32: no denial is sent where the callback itself did not confirm", async () => {
  await using hub = await startIntentParts();
  hub.callback.answerVerifications({ status: 404 });
  await hub.verifier.verify(await hub.remembered());
  expect(denials(hub)).toEqual([]);
});

test("H32: a denial to an address that may not be called is not sent", async () => {
  await using hub = await startIntentParts({ validate: refusing });
  await hub.verifier.verify(await hub.remembered({ callback: "http://10.0.0.1/c" }));
  expect(hub.logged()).toContain("outbound.allow");
  expect(await hub.unfinished()).toEqual([]);
});

test("H11: a renewal that is denied leaves the subscription as it was", async () => {
  let verdict: { kind: "valid" } | { kind: "refused"; reason: string } = { kind: "valid" };
  await using hub = await startIntentParts({ validate: async () => verdict });
  await hub.verifier.verify(await hub.remembered({ secret: "old" }));
  const before = await hub.find();
  verdict = { kind: "refused", reason: "no" };
  await hub.verifier.verify(await hub.remembered({ secret: "new" }));
  expect(denials(hub)).toHaveLength(1);
  expect(await hub.find()).toEqual(before);
});

test("H34: unsubscribe requests are validated with nobody", async () => {
  let asked = 0;
  const validate = async () => {
    asked += 1;
    return { kind: "valid" } as const;
  };
  await using hub = await startIntentParts({ validate });
  await hub.verifier.verify(await hub.remembered());
  await hub.verifier.verify(await hub.remembered({ mode: "unsubscribe" }));
  expect(asked).toBe(1);
  expect(await hub.find()).toBeUndefined();
});

test("H30: a request whose validation cannot be done yet stays, and its callback is asked nothing", async () => {
  await using hub = await startIntentParts({ validate: () => Promise.reject(new Error("not now")) });
  const request = await hub.remembered();
  await hub.verifier.verify(request);
  expect(hub.callback.verifications).toEqual([]);
  expect(await hub.unfinished()).toEqual([request]);
});

test("H33: an active subscription can be revoked: it ends at once, and its callback is told", async () => {
  await using hub = await startIntentParts();
  const revocations = revokeSubscriptions(hub);
  await hub.verifier.verify(await hub.remembered());
  await append(hub.log, "not delivered yet");
  const subscription = await hub.find();
  if (subscription === undefined) throw new Error("no subscription");
  hub.callback.answerVerifications({ delay: 50, status: 500 });
  expect(await revocations.revoke(subscription, "The contract has ended.")).toBe(true);
  expect(await hub.find()).toBeUndefined();
  await revocations.settled();
  expect(denials(hub).map(({ parameters }) => parameters.get("hub.reason"))).toEqual([
    "The contract has ended.",
  ]);
  expect(hub.logged()).toContain("subscription ended by the hub");
  expect(await revocations.revoke(subscription, "Again.")).toBe(false);
  await revocations.settled();
  expect(denials(hub)).toHaveLength(1);
});

test("H32: a reason is one bounded line of plain text", () => {
  expect(reasonOfDenial(" no\r\n\u0007 such\u2028topic ")).toBe("no such topic");
  const long = reasonOfDenial("🗺".repeat(5000));
  expect(long.length).toBeLessThanOrEqual(200);
  expect(long.endsWith("🗺…")).toBe(true);
  expect(reasonOfDenial("\n")).toBe("");
});
