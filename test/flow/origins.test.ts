import { createServer } from "node:http";
import { describe, expect, test } from "vitest";
import type { SubscriptionId } from "../../src/subscriptions/subscription.ts";
import { type CallbackServer, startCallbackServer } from "../support/callback-server.ts";
import { engineNames } from "../support/engines.ts";
import { testChannel } from "../support/new-notification.ts";
import { freePort } from "../../bench/harness/free-port.ts";
import { startTestDelivery, type TestDelivery } from "../support/start-delivery.ts";
import { waitUntil } from "../support/wait-until.ts";

const channel = testChannel();

const cursorOf = async ({ store }: TestDelivery, id: SubscriptionId) =>
  (await store.ledger.progress(channel, id))?.cursor;

/** For each target, in what order the notifications came. */
function receivedBy(callbacks: CallbackServer): Map<string, string[]> {
  const received = new Map<string, string[]>();
  for (const { target, body } of callbacks.deliveries) {
    received.set(target, [...(received.get(target) ?? []), body.toString()]);
  }
  return received;
}

describe.each(engineNames)("deliveries in turn, %s engine", (engine) => {
  test("an origin never has more requests than its width, its subscriptions keep their order and share it evenly", async () => {
    await using callbacks = await startCallbackServer();
    let [running, most] = [0, 0];
    callbacks.answerDeliveries(async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return { status: 204 };
    });
    await using hub = await startTestDelivery({ engine, perOrigin: 3 });
    await hub.publish(12);
    const targets = Array.from({ length: 10 }, (_, index) => `/s${index}`);
    for (const target of targets) await hub.subscribe(callbacks.url(target));
    await waitUntil(() => expect(callbacks.deliveries.length).toBe(120));

    expect(most).toBe(3);
    const received = [...receivedBy(callbacks).values()];
    expect(received.map(({ length }) => length)).toEqual(targets.map(() => 12));
    for (const one of received) expect(one).toEqual(received[0]);
    await waitUntil(() =>
      expect(hub.delivery.origins()[0]).toMatchObject({ state: "closed", running: 0, waiting: 0 }),
    );
  });

  test("slow callbacks with a long backlog hold nobody up", async () => {
    await using slow = await startCallbackServer();
    await using quick = await startCallbackServer();
    const answers: (() => void)[] = [];
    slow.answerDeliveries(async () => {
      await new Promise<void>((resolve) => answers.push(resolve));
      return { status: 204 };
    });
    await using hub = await startTestDelivery({ engine, concurrency: 8, perOrigin: 8 });
    await hub.publish(5);
    for (let index = 0; index < 8; index += 1) await hub.subscribe(slow.url(`/${index}`));
    await waitUntil(() => expect(answers.length).toBe(4));
    await hub.subscribe(quick.url());
    await waitUntil(() => expect(quick.deliveries.length).toBe(5));
    expect(slow.deliveries.length).toBeLessThan(5);
  });

  test("a dead origin is probed by one attempt, the others wait, and all goes on when it is back", async () => {
    const port = await freePort();
    await using hub = await startTestDelivery({ engine, retry: [50] });
    const ids: SubscriptionId[] = [];
    for (let index = 0; index < 20; index += 1)
      ids.push(await hub.subscribe(`http://127.0.0.1:${port}/${index}`));
    await hub.publish(1);
    await waitUntil(() => expect(hub.delivery.origins()[0]).toMatchObject({ state: "open", limit: 1 }));
    expect(hub.delivery.origins()[0]?.because).toContain("refused the connection");
    await waitUntil(async () => {
      const failing = await Promise.all(ids.map((id) => hub.store.ledger.progress(channel, id)));
      const reasons = failing.map((one) => one?.failing?.last.reason ?? "");
      expect(
        reasons.some((reason) =>
          /^not attempted: the circuit of http:.* is open since \d{4}-.*refused/.test(reason),
        ),
      ).toBe(true);
    });

    let [running, mostProbes] = [0, 0];
    const server = createServer((request, response) => {
      running += 1;
      if (hub.delivery.origins()[0]?.state !== "closed") mostProbes = Math.max(mostProbes, running);
      request.resume().on("end", () => {
        running -= 1;
        response.writeHead(204).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    await waitUntil(async () => {
      for (const id of ids) expect(await cursorOf(hub, id)).toBe(1);
    }, 20);
    expect(mostProbes).toBe(1);
    expect(hub.delivery.origins()[0]).toMatchObject({
      state: "closed",
      until: undefined,
      because: undefined,
    });
    expect((await hub.metrics.openCircuits.get()).values[0]?.value).toBe(0);
    const turns = (await hub.metrics.circuitTurns.get()).values;
    expect(turns.map(({ value, labels }) => [labels.turn, value])).toEqual([
      ["opened", 1],
      ["closed", 1],
    ]);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  test("where the origin stays dead, the notification is parked when giveUpAfter has passed, attempted or not", async () => {
    const port = await freePort();
    await using hub = await startTestDelivery({ engine, retry: [20], giveUpAfter: 1500 });
    const ids: SubscriptionId[] = [];
    for (let index = 0; index < 8; index += 1)
      ids.push(await hub.subscribe(`http://127.0.0.1:${port}/${index}`));
    await hub.publish(1);
    await waitUntil(async () => {
      for (const id of ids) expect(await cursorOf(hub, id)).toBe(1);
    }, 20);
    for (const id of ids) {
      const [letter] = await hub.store.deadLetters.page(channel, id, { after: 0, limit: 10 });
      expect(letter?.last.at ?? 0).toBeGreaterThanOrEqual((letter?.firstFailedAt ?? Infinity) + 1000);
    }
  });
});

test("a 503 halves what the origin is asked for; five in a row open its circuit for as long as Retry-After says", async () => {
  await using callbacks = await startCallbackServer();
  callbacks.answerDeliveries({ status: 503, headers: { "Retry-After": "60" } });
  await using hub = await startTestDelivery({ perOrigin: 8 });
  const { delivery } = hub;
  await hub.publish(1);
  await hub.subscribe(callbacks.url("/0"));
  await waitUntil(() =>
    expect(delivery.origins()[0]).toMatchObject({ state: "closed", limit: 2, running: 0 }),
  );
  for (let index = 1; index < 5; index += 1) await hub.subscribe(callbacks.url(`/${index}`));
  await waitUntil(() =>
    expect(delivery.origins()[0]).toMatchObject({ state: "open", because: "answered 503", limit: 1 }),
  );
  const { since = 0, until = 0 } = delivery.origins()[0] ?? {};
  expect(until - since).toBeGreaterThanOrEqual(59_000);
  expect(until - since).toBeLessThanOrEqual(61_000);
  const seen = callbacks.deliveries.length;
  const id = await hub.subscribe(callbacks.url("/later"));
  await waitUntil(async () => {
    const progress = await hub.store.ledger.progress(channel, id);
    expect(progress?.failing).toMatchObject({ attempts: 0, nextAttemptAt: until });
  });
  expect(callbacks.deliveries.length).toBe(seen);
});

test("a 500 of one callback says nothing about its origin, however often it comes", async () => {
  await using callbacks = await startCallbackServer();
  callbacks.answerDeliveries({ status: 500 });
  await using hub = await startTestDelivery({ retry: [5] });
  await hub.publish(1);
  await hub.subscribe(callbacks.url());
  await waitUntil(() => expect(callbacks.deliveries.length).toBeGreaterThan(8));
  expect(hub.delivery.origins()[0]).toMatchObject({ state: "closed", because: undefined });
});

test("closing calls off what waits for a slot, and gives every claim back", async () => {
  await using callbacks = await startCallbackServer();
  callbacks.answerDeliveries({ hang: true });
  await using hub = await startTestDelivery({ perOrigin: 1 });
  await hub.publish(1);
  for (let index = 0; index < 5; index += 1) await hub.subscribe(callbacks.url(`/${index}`));
  await waitUntil(() => expect(hub.delivery.origins()[0]).toMatchObject({ running: 1, waiting: 4 }));
  await hub.delivery.close(AbortSignal.abort());
  expect(callbacks.deliveries.length).toBe(1);
  const claims = await hub.store.ledger.claim(channel, "all", Date.now());
  expect(claims.map(({ progress }) => progress)).toEqual(
    Array.from({ length: 5 }, () => ({ cursor: 0, failing: undefined, paused: undefined })),
  );
});
