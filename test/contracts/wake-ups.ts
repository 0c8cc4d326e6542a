import { expect, test } from "vitest";
import type { WakeUp, WakeUps } from "../../src/delivery/wake-ups.ts";
import { type EngineName, openEngine } from "../support/engines.ts";
import { testChannel } from "../support/new-notification.ts";
import { newSubscription } from "../support/new-subscription.ts";
import { waitUntil } from "../support/wait-until.ts";

const channel = testChannel();
const wholeChannel: WakeUp = { channel, subscription: undefined };
const one = { channel, subscription: newSubscription("one").id };

/** Wake-ups that were handed out; each is being handled until it is let go. */
async function handOut(wakeUps: WakeUps) {
  const begun: WakeUp[] = [];
  const waiting: (() => void)[] = [];
  await wakeUps.start((wakeUp) => {
    begun.push(wakeUp);
    return new Promise((resolve) => waiting.push(resolve));
  });
  return { begun, letGo: () => waiting.shift()?.() };
}

/** What all wake-ups keep to, whatever carries them. */
export function wakeUpsContract(engine: EngineName): void {
  test("a wake-up is handed out as it was given, also one from before the start", async () => {
    await using store = await openEngine(engine);
    const { wakeUps } = store;
    await wakeUps.wake(wholeChannel);
    const handed: WakeUp[] = [];
    await wakeUps.start(async (wakeUp) => void handed.push(wakeUp));
    await waitUntil(() => expect(handed).toEqual([wholeChannel]));
    await wakeUps.wake(one);
    await waitUntil(() => expect(handed).toEqual([wholeChannel, one]));
  });

  test("wake-ups that come while the same one is handled make one more, after it", async () => {
    await using store = await openEngine(engine);
    const { begun, letGo } = await handOut(store.wakeUps);
    await store.wakeUps.wake(wholeChannel);
    await waitUntil(() => expect(begun).toHaveLength(1));
    for (let n = 0; n < 10; n += 1) await store.wakeUps.wake(wholeChannel);
    await store.wakeUps.wake(one);
    await waitUntil(() => expect(begun).toEqual([wholeChannel, one]));
    letGo();
    await waitUntil(() => expect(begun).toEqual([wholeChannel, one, wholeChannel]));
    letGo();
    letGo();
    await store.wakeUps.close();
    expect(begun).toHaveLength(3);
  });

  test("several wake-ups are handled at a time", async () => {
    await using store = await openEngine(engine);
    const { begun, letGo } = await handOut(store.wakeUps);
    const channels = ["a", "b", "c", "d"].map((set) => testChannel(set));
    for (const each of channels) await store.wakeUps.wake({ channel: each, subscription: undefined });
    await waitUntil(() => expect(begun).toHaveLength(4));
    for (const _ of channels) letGo();
  });

  test("a handler that fails stops nothing", async () => {
    await using store = await openEngine(engine);
    let calls = 0;
    await store.wakeUps.start(async () => {
      calls += 1;
      if (calls === 1) throw new Error("once");
    });
    await store.wakeUps.wake(wholeChannel);
    await waitUntil(() => expect(calls).toBe(1));
    await waitUntil(async () => {
      await store.wakeUps.wake(wholeChannel);
      expect(calls).toBeGreaterThan(1);
    });
  });

  test("a later wake-up comes at its time", async () => {
    await using store = await openEngine(engine);
    const times: number[] = [];
    await store.wakeUps.start(async () => void times.push(Date.now()));
    const due = Date.now() + 150;
    await store.wakeUps.wakeAt(one, due);
    await waitUntil(() => expect(times).toHaveLength(1));
    expect(times[0]).toBeGreaterThanOrEqual(due - 2);
  });

  test("a second later wake-up for a subscription replaces the first, earlier or later", async () => {
    await using store = await openEngine(engine);
    const handed: WakeUp[] = [];
    await store.wakeUps.start(async (wakeUp) => void handed.push(wakeUp));
    const other = { channel, subscription: newSubscription("other").id };
    await store.wakeUps.wakeAt(one, Date.now() + 3_600_000);
    await store.wakeUps.wakeAt(other, Date.now() + 50);
    await store.wakeUps.wakeAt(other, Date.now() + 3_600_000);
    await store.wakeUps.wakeAt(one, Date.now() + 200);
    await waitUntil(() => expect(handed).toHaveLength(1));
    expect(handed).toEqual([one]);
  });

  test("a later wake-up that is asked for while one is handled comes, too", async () => {
    await using store = await openEngine(engine);
    const { begun, letGo } = await handOut(store.wakeUps);
    await store.wakeUps.wakeAt(one, Date.now());
    await waitUntil(() => expect(begun).toHaveLength(1));
    await store.wakeUps.wakeAt(one, Date.now() + 50);
    letGo();
    await waitUntil(() => expect(begun).toHaveLength(2));
    letGo();
  });

  test("closing waits for what is being handled, and hands out no more", async () => {
    await using store = await openEngine(engine);
    const { begun, letGo } = await handOut(store.wakeUps);
    await store.wakeUps.wake(wholeChannel);
    await waitUntil(() => expect(begun).toHaveLength(1));
    let closed = false;
    const closing = store.wakeUps.close().then(() => (closed = true));
    await Promise.resolve();
    expect(closed).toBe(false);
    letGo();
    await closing;
    await store.wakeUps.wake(wholeChannel);
    expect(begun).toHaveLength(1);
  });
}
