import { describe, expect, test } from "vitest";
import { deadLetterPage } from "../../src/operations/schemas/dead-letters.ts";
import { subscriptionPage } from "../../src/operations/schemas/subscriptions.ts";
import { startCallbackServer } from "../support/callback-server.ts";
import { changeNotification } from "../support/documents.ts";
import { engineNames } from "../support/engines.ts";
import { operate } from "../support/operator.ts";
import { startTestHub } from "../support/start-hub.ts";
import { subscribe } from "../support/subscribe.ts";
import { waitUntil } from "../support/wait-until.ts";

/** Seconds: less than the ten of a round of the reconciler, which would find it in the end. */
const atOnce = 4;

describe.each(engineNames)(
  "a callback that is mended while its next attempt is an hour away, %s",
  (engine) => {
    /** A subscription with a dead letter and, behind that, a notification that waits for an hour. */
    async function startWaiting() {
      const yaml = "delivery: { retry: [100ms], giveUpAfter: 1s }\n";
      const hub = await startTestHub({ engine, yaml });
      const callback = await startCallbackServer();
      await subscribe(hub, callback);
      callback.answerDeliveries({ status: 400 });
      await hub.publish(changeNotification(1));
      const letters = async () =>
        deadLetterPage.parse(await (await operate(hub, "/deadletters")).json()).deadLetters;
      await waitUntil(async () => expect(await letters()).toHaveLength(1));
      callback.answerDeliveries({ status: 429, headers: { "Retry-After": "3600" } });
      await hub.publish(changeNotification(2));
      const subscription = async () =>
        subscriptionPage.parse(await (await operate(hub, "/subscriptions")).json()).subscriptions[0];
      await waitUntil(async () => expect(await subscription()).toMatchObject({ state: "failing" }));
      const before = callback.deliveries.length;
      callback.answerDeliveries({ status: 204 });
      const id = (await subscription())?.id ?? "";
      return {
        callback,
        subscription,
        id,
        letters,
        renew: () => subscribe(hub, callback),
        post: async (path: string, body?: unknown) =>
          expect((await operate(hub, path, { method: "POST", body })).status).toBe(200),
        received: () =>
          callback.deliveries.slice(before).map(({ body }) => /maps\/(\d+)/.exec(body.toString())?.[1]),
        [Symbol.asyncDispose]: async () => {
          await hub[Symbol.asyncDispose]();
          await callback[Symbol.asyncDispose]();
        },
      };
    }

    test("an operator's resume ends the wait", async () => {
      await using waiting = await startWaiting();
      await waiting.post(`/subscriptions/${waiting.id}/resume`);
      await waitUntil(() => expect(waiting.received()).toEqual(["2"]), atOnce);
      expect(await waiting.letters()).toHaveLength(1);
    });

    const since = "2020-01-01";
    test.each([
      ["one dead letter", (id: string) => ({ path: `/deadletters/${id}.1/resend` })],
      ["all dead letters since a time", () => ({ path: "/deadletters/resend", body: { since } })],
      [
        "a replay of what was missed",
        (id: string) => ({ path: `/subscriptions/${id}/replay`, body: { since, missed: true } }),
      ],
    ])("%s that is to be sent again is sent at once, and then what waits", async (_what, request) => {
      await using waiting = await startWaiting();
      const { path, body } = { body: undefined, ...request(waiting.id) };
      await waiting.post(path, body);
      await waitUntil(() => expect(waiting.received()).toEqual(["1", "2"]), atOnce);
      await waitUntil(async () => expect(await waiting.letters()).toEqual([]));
    });

    test("what is marked of a paused subscription waits until it is resumed", async () => {
      await using waiting = await startWaiting();
      await waiting.post(`/subscriptions/${waiting.id}/pause`, {});
      await waiting.post(`/deadletters/${waiting.id}.1/resend`);
      expect(await waiting.subscription()).toMatchObject({ state: "paused" });
      expect(waiting.received()).toEqual([]);
      await waiting.post(`/subscriptions/${waiting.id}/resume`);
      await waitUntil(() => expect(waiting.received()).toEqual(["1", "2"]), atOnce);
    });

    test("a renewal ends the wait, too", async () => {
      await using waiting = await startWaiting();
      await waiting.renew();
      await waitUntil(() => expect(waiting.received()).toEqual(["2"]), atOnce);
    });
  },
);
