import { describe, expect, test } from "vitest";
import type { SubscriptionId } from "../../src/subscriptions/subscription.ts";
import { engineNames } from "../support/engines.ts";
import { testChannel } from "../support/new-notification.ts";
import { startTestDelivery } from "../support/start-operated-delivery.ts";
import { waitUntil } from "../support/wait-until.ts";

const channel = testChannel();
const documents = (count: number): string[] => Array.from({ length: count }, (_, n) => `<n${n + 1}/>`);

describe.each(engineNames)(
  "a server that has one request at a time and many subscriptions, %s engine",
  (engine) => {
    type Hub = Awaited<ReturnType<typeof startTestDelivery>>;
    const receivedAt = (hub: Hub, target: string): string[] =>
      hub.callback.deliveries.filter((one) => one.target === target).map(({ body }) => body.toString());

    test("letters that are refused again stop after five in a row, also where others come between them", async () => {
      await using hub = await startTestDelivery(engine, { perOrigin: 1 });
      const busy = await hub.subscribe("busy", "/busy");
      await hub.control.pause(channel, busy.id);
      hub.callback.answerDeliveries(({ target }) => ({ status: target === "/hook" ? 500 : 204 }));
      await hub.publish(...documents(20));
      await waitUntil(async () => expect(await hub.letters()).toHaveLength(20));
      // Both want the one slot from here on.
      await hub.control.pause(channel, hub.id);
      await hub.deadLetters.resend(channel, hub.id, { since: 0 });
      await hub.control.resume(channel, hub.id);
      await hub.control.resume(channel, busy.id);
      await hub.wakeUps.wake({ channel, subscription: undefined });
      await waitUntil(() => expect(receivedAt(hub, "/busy")).toHaveLength(20));
      await waitUntil(async () => expect(await hub.ledger.nextResend(channel, hub.id)).toBeUndefined());
      const attempts = (await hub.letters()).map((letter) => letter.attempts);
      expect(attempts.filter((count) => count === 2)).toHaveLength(5);
    });

    /** A subscription waits for the only slot, which another one holds, while `act` is done to it. */
    async function whileItWaits(
      act: (hub: Hub, waiting: SubscriptionId) => Promise<void>,
    ): Promise<string[]> {
      await using hub = await startTestDelivery(engine, { perOrigin: 1 });
      const waiting = await hub.subscribe("waiting", "/waiting");
      // So long that whoever waits asks whether its claim still holds.
      hub.callback.answerDeliveries(({ target }) => ({ status: 204, delay: target === "/hook" ? 1200 : 0 }));
      await hub.control.pause(channel, waiting.id);
      await hub.publish("<n1/>");
      await waitUntil(() => expect(receivedAt(hub, "/hook")).toEqual(["<n1/>"]));
      await hub.control.resume(channel, waiting.id);
      await hub.wakeUps.wake({ channel, subscription: waiting.id });
      await waitUntil(() => expect(hub.waitingFor()).toBe(1));
      await act(hub, waiting.id);
      // It comes behind the one that waits.
      const last = await hub.subscribe("last", "/last");
      await hub.wakeUps.wake({ channel, subscription: last.id });
      await waitUntil(() => expect(receivedAt(hub, "/last")).toEqual(["<n1/>"]));
      return receivedAt(hub, "/waiting");
    }

    test("a subscription that is paused while it waits for its turn is sent nothing", async () => {
      const received = await whileItWaits(async (hub, id) => {
        await hub.control.pause(channel, id);
      });
      expect(received).toEqual([]);
    });

    test("one that ended while it waits for its turn is sent nothing", async () => {
      const received = await whileItWaits(async (hub, id) => {
        await hub.subscriptions.end(channel, id);
      });
      expect(received).toEqual([]);
    });
  },
);
