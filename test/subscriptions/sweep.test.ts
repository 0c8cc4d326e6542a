import { expect, test } from "vitest";
import { createHostGate } from "../../src/subscriptions/host-gate.ts";
import type { IntentRequest } from "../../src/subscriptions/subscription.ts";
import { sweepSubscriptions } from "../../src/subscriptions/sweep.ts";
import { createUnconfirmedBudget } from "../../src/subscriptions/unconfirmed-budget.ts";
import { createVerificationQueue } from "../../src/subscriptions/verification-queue.ts";
import { confirming } from "../support/callback-server.ts";
import { channel, startIntentParts } from "../support/intent.ts";

async function start() {
  let time = 1_750_000_000_000;
  const now = () => time;
  const parts = await startIntentParts({ now });
  const budget = createUnconfirmedBudget(now);
  const { verify } = parts.verifier;
  const queue = createVerificationQueue({ verify, atHost: createHostGate(2), budget, perHost: 5 });
  const takeUp = (request: IntentRequest) => queue.add(request, Promise.resolve());
  const sweep = sweepSubscriptions({
    ...parts,
    takeUp,
    withdrawAll: async () => {},
    topics: { all: async () => [channel] },
    now,
  });
  return { ...parts, sweep, pass: (milliseconds: number) => void (time += milliseconds) };
}

test("H48: a subscription ends when its lease has run out, and not before", async () => {
  await using hub = await start();
  await hub.verifier.verify(await hub.remembered({ leaseSeconds: 600 }));
  hub.pass(599_999);
  await hub.sweep();
  expect(await hub.find()).toBeDefined();
  hub.pass(1);
  await hub.sweep();
  expect(await hub.find()).toBeUndefined();
  expect(hub.logged()).toContain("lease ran out");
});

test("H48: a renewal puts the end off", async () => {
  await using hub = await start();
  await hub.verifier.verify(await hub.remembered({ leaseSeconds: 600 }));
  hub.pass(500_000);
  await hub.verifier.verify(await hub.remembered({ leaseSeconds: 600 }));
  hub.pass(500_000);
  await hub.sweep();
  expect(await hub.find()).toBeDefined();
});

test("what is logged of an ended lease shows the callback's origin only", async () => {
  await using hub = await start();
  const callback = hub.callback.url("/unguessable");
  await hub.verifier.verify(await hub.remembered({ callback, leaseSeconds: 1 }));
  hub.pass(1000);
  await hub.sweep();
  expect(await hub.find(callback)).toBeUndefined();
  expect(hub.logged()).not.toContain("unguessable");
});

test("a request whose process died is taken up once its time is over", async () => {
  await using hub = await start();
  await hub.remembered({ secret: "s" });
  await hub.sweep();
  expect(hub.callback.verifications).toHaveLength(0);
  hub.pass(60_000);
  await hub.sweep();
  expect(await hub.find()).toMatchObject({ secret: "s" });
  await hub.sweep();
  expect(hub.callback.verifications).toHaveLength(1);
});

test("H10: requests for one pair that were left behind are verified in the order in which they came", async () => {
  await using hub = await start();
  const secrets = ["a", "b", "c", "d"];
  for (const secret of secrets) {
    await hub.remembered({ secret });
    hub.pass(1);
  }
  hub.pass(60_000);
  await hub.sweep();
  expect((await hub.find())?.secret).toBe("d");
});

test("what was left behind is verified a few at a time at one host, and is not taken up twice", async () => {
  await using hub = await start();
  let running = 0;
  let most = 0;
  hub.callback.answerVerifications(async (asked) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setTimeout(resolve, 10));
    running -= 1;
    return confirming(asked);
  });
  for (let i = 0; i < 12; i += 1) await hub.remembered({ callback: hub.callback.url(`/${i}`) });
  hub.pass(60_000);
  const first = hub.sweep();
  await expect.poll(() => hub.callback.verifications.length).toBeGreaterThan(0);
  hub.pass(130_000);
  await Promise.all([first, hub.sweep()]);
  expect(hub.callback.verifications).toHaveLength(12);
  expect(most).toBe(2);
});
