import { expect, test } from "vitest";
import { sweepSubscriptions } from "../../src/subscriptions/sweep.ts";
import { channel, startIntentParts } from "../support/intent.ts";

async function start() {
  let time = 1_750_000_000_000;
  const now = () => time;
  const parts = await startIntentParts({ now });
  const sweep = sweepSubscriptions({ ...parts, topics: { all: async () => [channel] }, now });
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
