import { createServer } from "node:http";
import { describe, expect, test } from "vitest";
import { listOrigins, listWatched } from "../../src/operations/schemas/observed.ts";
import { subscriptionPage } from "../../src/operations/schemas/subscriptions.ts";
import { startCallbackServer } from "../support/callback-server.ts";
import { changeNotification } from "../support/documents.ts";
import { engineNames } from "../support/engines.ts";
import { operate } from "../support/operator.ts";
import { startTestHub, type TestHub } from "../support/start-hub.ts";
import { subscribe } from "../support/subscribe.ts";
import { waitUntil } from "../support/wait-until.ts";

const originsOf = async (hub: TestHub) =>
  listOrigins.answer.parse(await (await operate(hub, "/origins")).json()).origins;
const subscriptionsOf = async (hub: TestHub) =>
  subscriptionPage.parse(await (await operate(hub, "/subscriptions")).json()).subscriptions;

describe.each(engineNames)("what operators observe, with the %s engine", (engine) => {
  test("the last attempt at each callback stands beside it, also when it succeeded", async () => {
    await using hub = await startTestHub({ engine });
    await using callbacks = await startCallbackServer();
    callbacks.answerDeliveries(({ target }) => ({ status: target === "/broken" ? 500 : 204 }));
    await subscribe(hub, callbacks, { target: "/good" });
    await subscribe(hub, callbacks, { target: "/broken" });
    await hub.publish(changeNotification(1));
    await waitUntil(async () => {
      const found = await subscriptionsOf(hub);
      const [good, broken] = ["/good", "/broken"].map((target) =>
        found.find(({ callback }) => callback === callbacks.url(target)),
      );
      expect(good?.lastAttempt).toMatchObject({ outcome: "delivered", status: 204, attempt: 1, reason: "" });
      expect(good?.lastAttempt?.position).toMatch(/-1$/);
      expect(broken?.lastAttempt).toMatchObject({ outcome: "failed", status: 500 });
      expect(good?.circuit).toBe("closed");
    });
  });

  test("a server whose circuit is open comes first among the servers, with why and until when", async () => {
    await using hub = await startTestHub({
      engine,
      yaml: "delivery: { timeout: 1s, retry: [100ms], giveUpAfter: 1h }\n",
    });
    await using well = await startCallbackServer();
    await using dying = await startCallbackServer();
    await subscribe(hub, well);
    for (let n = 0; n < 6; n += 1) await subscribe(hub, dying, { target: `/${n}` });
    dying.answerDeliveries({ status: 503 });
    await hub.publish(changeNotification(1));
    await waitUntil(async () => {
      const [first, ...others] = await originsOf(hub);
      expect(first).toMatchObject({ origin: dying.origin });
      expect(["open", "half-open"]).toContain(first?.state);
      expect(first?.because).toContain("503");
      expect(first?.until).toBeDefined();
      expect(others).toEqual([expect.objectContaining({ origin: well.origin, state: "closed" })]);
      const barred = (await subscriptionsOf(hub)).filter(({ circuit }) => circuit !== "closed");
      expect(barred).toHaveLength(6);
    }, 20);
  });

  test("a watched Source that fails is shown with the reason and the time of the next look", async () => {
    const source = createServer((_request, response) => void response.writeHead(503).end());
    await new Promise<void>((resolve) => source.listen(0, "127.0.0.1", resolve));
    const address = source.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/changelist.xml`;
    try {
      await using hub = await startTestHub({ engine, yaml: `sets: [{ id: maps, watch: "${url}" }]\n` });
      await waitUntil(async () => {
        const { watched } = listWatched.answer.parse(await (await operate(hub, "/watched")).json());
        expect(watched).toEqual([expect.objectContaining({ set: "maps", url })]);
        expect(watched[0]?.failing).toContain("503");
        expect(Date.parse(watched[0]?.nextLookAt ?? "")).toBeGreaterThan(Date.now() - 1000);
      });
    } finally {
      source.close();
    }
  });
});
