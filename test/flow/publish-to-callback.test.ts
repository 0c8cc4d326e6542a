import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { startCallbackServer } from "../support/callback-server.ts";
import { changeNotification, frameworkNotification } from "../support/documents.ts";
import { startTestHub, type TestHub } from "../support/start-hub.ts";
import { ask, subscribe } from "../support/subscribe.ts";
import { waitUntil } from "../support/wait-until.ts";

const series = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => changeNotification(index + 1));

async function publishAll(hub: TestHub, documents: readonly string[]): Promise<void> {
  for (const document of documents) expect((await hub.publish(document)).status).toBe(202);
}

describe.each(["embedded", "redis"] as const)("from publishing to the callback, %s engine", (engine) => {
  test("a confirmed subscription receives every notification, in order, byte for byte, signed", async () => {
    await using hub = await startTestHub({ engine });
    await using callbacks = await startCallbackServer();
    await subscribe(hub, callbacks, { secret: "a secret of the subscriber" });
    const documents = series(20);
    await publishAll(hub, documents);
    await waitUntil(() => expect(callbacks.deliveries).toHaveLength(20));
    expect(callbacks.deliveries.map(({ body }) => body.toString())).toEqual(documents);
    for (const { headers, body } of callbacks.deliveries) {
      expect(headers["content-type"]).toBe("application/xml");
      const expected = createHmac("sha256", "a secret of the subscriber").update(body).digest("hex");
      expect(headers["x-hub-signature"]).toBe(`sha256=${expected}`);
      expect(headers["link"]).toBe(
        `<${hub.baseUrl}/websub>; rel="hub", <${hub.baseUrl}/sets/maps/change-notification>; rel="self"`,
      );
    }
  });

  test("H72: a callback that fails is tried again, nothing overtakes, and each attempt has the same webhook-id", async () => {
    await using hub = await startTestHub({ engine });
    await using callbacks = await startCallbackServer();
    await subscribe(hub, callbacks);
    let failures = 2;
    callbacks.answerDeliveries(() => ({ status: failures-- > 0 ? 503 : 204 }));
    const documents = series(5);
    await publishAll(hub, documents);
    await waitUntil(() => expect(callbacks.deliveries).toHaveLength(7));
    const [first] = documents;
    expect(callbacks.deliveries.map(({ body }) => body.toString())).toEqual([first, first, ...documents]);
    const ids = callbacks.deliveries.map(({ headers }) => headers["webhook-id"]);
    expect(new Set(ids.slice(0, 3)).size).toBe(1);
    expect(new Set(ids).size).toBe(5);
  });

  test("H72: a callback that answers nothing does not hold up the others", async () => {
    await using hub = await startTestHub({ engine });
    await using stalling = await startCallbackServer();
    await using healthy = await startCallbackServer();
    stalling.answerDeliveries({ hang: true });
    await subscribe(hub, stalling);
    await subscribe(hub, healthy);
    const begun = Date.now();
    await publishAll(hub, series(10));
    await waitUntil(() => expect(healthy.deliveries).toHaveLength(10));
    // The stalling one needs its whole time-out of a second for each attempt.
    expect(stalling.deliveries.length).toBeLessThanOrEqual(1 + (Date.now() - begun) / 1000);
  });

  test("H69: 410 Gone ends the subscription", async () => {
    await using hub = await startTestHub({ engine });
    await using callbacks = await startCallbackServer();
    await using other = await startCallbackServer();
    await subscribe(hub, callbacks);
    await subscribe(hub, other);
    callbacks.answerDeliveries({ status: 410 });
    await publishAll(hub, series(3));
    await waitUntil(() => expect(other.deliveries).toHaveLength(3));
    expect(callbacks.deliveries).toHaveLength(1);
  });

  test("whoever subscribes again after 410 Gone is delivered to at once", async () => {
    await using hub = await startTestHub({ engine });
    await using callbacks = await startCallbackServer();
    await subscribe(hub, callbacks);
    callbacks.answerDeliveries({ status: 410 });
    const [first = "", second = ""] = series(2);
    await publishAll(hub, [first]);
    await waitUntil(async () =>
      expect(await (await hub.get("/metrics")).text()).toContain(
        'subscriptions_ended_total{reason="gone"} 1',
      ),
    );
    callbacks.answerDeliveries({ status: 204 });
    await subscribe(hub, callbacks);
    await publishAll(hub, [second]);
    await waitUntil(() => expect(callbacks.deliveries.at(-1)?.body.toString()).toBe(second), 5);
  });

  test("whoever unsubscribes during a delivery and subscribes again is delivered to at once", async () => {
    await using hub = await startTestHub({ engine });
    await using callbacks = await startCallbackServer();
    await subscribe(hub, callbacks);
    let answer = (): void => {};
    callbacks.answerDeliveries(() => new Promise((resolve) => (answer = () => resolve({ status: 204 }))));
    const [first = "", second = ""] = series(2);
    await publishAll(hub, [first]);
    await waitUntil(() => expect(callbacks.deliveries).toHaveLength(1));
    await subscribe(hub, callbacks, { mode: "unsubscribe" });
    await subscribe(hub, callbacks);
    answer();
    callbacks.answerDeliveries({ status: 204 });
    await publishAll(hub, [second]);
    await waitUntil(() => expect(callbacks.deliveries.at(-1)?.body.toString()).toBe(second), 5);
  });

  test("nothing is delivered after unsubscribing, and nothing from before subscribing", async () => {
    await using hub = await startTestHub({ engine });
    await using callbacks = await startCallbackServer();
    await using witness = await startCallbackServer();
    await publishAll(hub, [changeNotification(1)]);
    await subscribe(hub, callbacks);
    await subscribe(hub, witness);
    await publishAll(hub, [changeNotification(2)]);
    await waitUntil(() => expect(callbacks.deliveries).toHaveLength(1));
    await subscribe(hub, callbacks, { mode: "unsubscribe" });
    await publishAll(hub, [changeNotification(3)]);
    await waitUntil(() => expect(witness.deliveries).toHaveLength(2));
    expect(callbacks.deliveries.map(({ body }) => body.toString())).toEqual([changeNotification(2)]);
  });

  test("nothing is delivered after the lease has run out (WebSub §5.3.1)", async () => {
    await using hub = await startTestHub({ engine });
    await using callbacks = await startCallbackServer();
    await using witness = await startCallbackServer();
    await subscribe(hub, callbacks, { leaseSeconds: 1 });
    await subscribe(hub, witness);
    const granted = Number(callbacks.verifications[0]?.parameters.get("hub.lease_seconds"));
    const end = Date.now() + granted * 1000;
    await waitUntil(() => expect(Date.now()).toBeGreaterThan(end));
    await publishAll(hub, [changeNotification(1)]);
    await waitUntil(() => expect(witness.deliveries).toHaveLength(1));
    expect(callbacks.deliveries).toHaveLength(0);
  });

  test("a framework notification reaches the subscribers of its channel only", async () => {
    await using hub = await startTestHub({ engine });
    await using callbacks = await startCallbackServer();
    await using framework = await startCallbackServer();
    await subscribe(hub, callbacks);
    await subscribe(hub, framework, { channel: "maps/framework-notification" });
    await hub.publish(frameworkNotification(1), { channel: "maps/framework-notification" });
    await publishAll(hub, series(1));
    await waitUntil(() => expect([callbacks.deliveries.length, framework.deliveries.length]).toEqual([1, 1]));
    expect(framework.deliveries[0]?.body.toString()).toBe(frameworkNotification(1));
  });
});

describe("a form that asks for what cannot be (WebSub §5.1.2)", () => {
  test("every fault is told, in plain text", async () => {
    await using hub = await startTestHub();
    const response = await fetch(`${hub.baseUrl}/websub`, {
      method: "POST",
      body: new URLSearchParams({
        "hub.mode": "subscribe",
        "hub.topic": "maps",
        "hub.lease_seconds": "soon",
      }),
    });
    expect(response.status).toBe(400);
    expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    const lines = (await response.text()).trim().split("\n");
    expect(lines.length).toBeGreaterThanOrEqual(3);
    for (const name of ["hub.topic", "hub.callback", "hub.lease_seconds"])
      expect(lines.join()).toContain(name);
  });

  test("a topic that the hub does not have is refused, and the text says where topics are listed", async () => {
    await using hub = await startTestHub();
    await using callbacks = await startCallbackServer();
    const response = await ask(hub, callbacks, { channel: "stamps/change-notification" });
    expect(response.status).toBe(404);
    expect(await response.text()).toContain("/.well-known/resourcesync");
    expect(callbacks.verifications).toHaveLength(0);
  });
});
