import { describe, expect, test } from "vitest";
import { engineNames } from "../support/engines.ts";
import { testChannel } from "../support/new-notification.ts";
import { startTestDelivery } from "../support/start-operated-delivery.ts";
import { waitUntil } from "../support/wait-until.ts";

const channel = testChannel();
const documents = (count: number): string[] => Array.from({ length: count }, (_, n) => `<n${n + 1}/>`);

describe.each(engineNames)("dead letters that are sent again, %s engine", (engine) => {
  /** A delivery whose first letters are parked. */
  async function withLetters(count: number) {
    const hub = await startTestDelivery(engine);
    hub.callback.answerDeliveries({ status: 500, body: "<p>database\u0007 down</p>" });
    await hub.publish(...documents(count));
    await waitUntil(async () => expect(await hub.letters()).toHaveLength(count));
    return hub;
  }

  test("a letter says what was not taken, when and why", async () => {
    await using hub = await withLetters(1);
    const [notification] = await hub.log.read(channel, 0, 1);
    const [letter] = await hub.letters();
    expect(letter).toMatchObject({
      sequence: 1,
      position: notification?.position,
      attempts: 1,
      last: { status: 500, reason: "answered 500 Internal Server Error", answer: "<p>database down</p>" },
    });
    expect(letter?.parkedAt).toBeGreaterThanOrEqual(letter?.firstFailedAt ?? Infinity);
  });

  test("they come before what is new, one at a time, lowest first, with the webhook-id that they had", async () => {
    await using hub = await withLetters(3);
    let underWay = 0;
    let most = 0;
    hub.callback.answerDeliveries(async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay -= 1;
      return { status: 204 };
    });
    await hub.control.pause(channel, hub.id);
    await hub.deadLetters.resend(channel, hub.id, [3, 1]);
    await hub.publish("<new/>");
    await hub.control.resume(channel, hub.id);
    await hub.wake();
    await waitUntil(() => expect(hub.received().slice(3)).toEqual(["<n1/>", "<n3/>", "<new/>"]));
    expect(most).toBe(1);
    const idsOf = hub.callback.deliveries.map(({ headers }) => headers["webhook-id"]);
    expect(idsOf.slice(3, 5)).toEqual([idsOf[0], idsOf[2]]);
    expect(hub.callback.deliveries[3]?.headers["webhook-attempt"]).toBe("2");
    await waitUntil(async () => expect((await hub.letters()).map(({ sequence }) => sequence)).toEqual([2]));
  });

  test("one that is refused again stays with its new attempt, is not tried once more, and holds up nothing", async () => {
    await using hub = await withLetters(1);
    hub.callback.answerDeliveries(({ body }) =>
      body.toString() === "<n1/>" ? { status: 400, body: "bad document" } : { status: 204 },
    );
    await hub.deadLetters.resend(channel, hub.id, [1]);
    await hub.wake();
    await waitUntil(async () => expect(await hub.letters()).toMatchObject([{ attempts: 2 }]));
    expect(await hub.letters()).toMatchObject([{ last: { status: 400, answer: "bad document" } }]);
    await hub.publish("<new/>");
    await waitUntil(() => expect(hub.received()).toEqual(["<n1/>", "<n1/>", "<new/>"]));
    expect(await hub.ledger.nextResend(channel, hub.id)).toBeUndefined();
  });

  test("a callback that is not there is tried five times; the other letters keep, and what is new is tried", async () => {
    await using hub = await withLetters(8);
    await hub.deadLetters.resend(channel, hub.id, { since: 0 });
    await hub.wake();
    await waitUntil(async () => expect(await hub.ledger.nextResend(channel, hub.id)).toBeUndefined());
    expect((await hub.letters()).map(({ attempts }) => attempts)).toEqual([2, 2, 2, 2, 2, 1, 1, 1]);
    hub.callback.answerDeliveries({ status: 204 });
    await hub.publish("<new/>");
    await waitUntil(() => expect(hub.received().at(-1)).toBe("<new/>"));
  });

  test("one whose notification left the log stays, and says that it cannot be sent", async () => {
    await using hub = await withLetters(2);
    await hub.log.trimBefore(channel, 2);
    hub.callback.answerDeliveries({ status: 204 });
    expect(await hub.deadLetters.resend(channel, hub.id, [1, 2])).toEqual({ marked: 2, gone: 1 });
    await hub.wake();
    await waitUntil(async () => expect(await hub.letters()).toHaveLength(1));
    expect(await hub.letters()).toMatchObject([
      { sequence: 1, attempts: 1, unsendable: expect.stringContaining("no longer holds") },
    ]);
    expect(hub.received()).toEqual(["<n1/>", "<n2/>", "<n2/>"]);
  });

  test("410 ends the subscription there, too", async () => {
    await using hub = await withLetters(1);
    hub.callback.answerDeliveries({ status: 410 });
    await hub.deadLetters.resend(channel, hub.id, [1]);
    await hub.wake();
    await waitUntil(async () => expect(await hub.progress()).toBeUndefined());
  });
});

describe.each(engineNames)("an operator's hand on a delivery, %s engine", (engine) => {
  test("a pause in the middle of a delivery leaves the cursor; after it, nothing is missing", async () => {
    await using hub = await startTestDelivery(engine);
    let answer = (): void => {};
    hub.callback.answerDeliveries(() => new Promise((resolve) => (answer = () => resolve({ status: 204 }))));
    await hub.publish("<n1/>", "<n2/>");
    await waitUntil(() => expect(hub.received()).toEqual(["<n1/>"]));
    await hub.control.pause(channel, hub.id, "wait");
    hub.callback.answerDeliveries({ status: 204 });
    answer();
    await hub.wake();
    await waitUntil(async () => {
      const [record] = await hub.records.of(channel, { limit: 1 });
      expect(record).toMatchObject({ sequence: 1 });
    });
    expect(await hub.progress()).toMatchObject({ cursor: 0, paused: { because: "operator" } });
    expect(hub.received()).toEqual(["<n1/>"]);
    await hub.control.resume(channel, hub.id);
    await hub.wake();
    await waitUntil(() => expect(hub.received()).toEqual(["<n1/>", "<n1/>", "<n2/>"]));
  });

  test("one that is rewound while something is sent to it goes on from there as soon as that has ended", async () => {
    await using hub = await startTestDelivery(engine);
    await hub.publish(...documents(2));
    await waitUntil(async () => expect(await hub.progress()).toMatchObject({ cursor: 2 }));
    let answer = (): void => {};
    hub.callback.answerDeliveries(() => new Promise((resolve) => (answer = () => resolve({ status: 204 }))));
    await hub.publish("<n3/>");
    await waitUntil(() => expect(hub.received()).toHaveLength(3));
    await hub.control.rewind(channel, hub.id, 1);
    await hub.wake();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(hub.received()).toHaveLength(3);
    hub.callback.answerDeliveries({ status: 204 });
    answer();
    // Less than a round of the reconciler.
    await waitUntil(() => expect(hub.received().slice(3)).toEqual(["<n2/>", "<n3/>"]), 4);
  });

  test("a rewound subscription gets everything since again", async () => {
    await using hub = await startTestDelivery(engine);
    await hub.publish(...documents(3));
    await waitUntil(async () => expect(await hub.progress()).toMatchObject({ cursor: 3 }));
    await hub.control.rewind(channel, hub.id, 1);
    await hub.wake();
    await waitUntil(() => expect(hub.received()).toEqual(["<n1/>", "<n2/>", "<n3/>", "<n2/>", "<n3/>"]));
  });

  test("what an operator decided for exhausted attempts goes before the configuration", async () => {
    await using hub = await startTestDelivery(engine, { exhausted: "park" });
    await hub.subscriptions.setExhausted(channel, hub.id, "pause");
    hub.callback.answerDeliveries({ status: 503, body: "later" });
    await hub.publish("<n1/>");
    await waitUntil(async () =>
      expect(await hub.progress()).toMatchObject({
        cursor: 0,
        paused: { because: "exhausted" },
        failing: { attempts: 1, last: { status: 503, answer: "later" } },
      }),
    );
    expect(await hub.letters()).toEqual([]);
  });

  test("so many dead letters are kept, the newest", async () => {
    await using hub = await startTestDelivery(engine, { deadLetters: 3 });
    hub.callback.answerDeliveries({ status: 400 });
    await hub.publish(...documents(5));
    await waitUntil(async () =>
      expect((await hub.letters()).map(({ sequence }) => sequence)).toEqual([3, 4, 5]),
    );
  });
});

describe.each(engineNames)("delivery records, %s engine", (engine) => {
  test("there is one for each attempt, newest first, to be asked for by outcome, subscription and time", async () => {
    await using hub = await startTestDelivery(engine);
    hub.callback.answerDeliveries(({ body }) => ({ status: body.toString() === "<n2/>" ? 400 : 204 }));
    await hub.publish(...documents(3));
    const of = (query: object = {}) => hub.records.of(channel, { limit: 10, ...query });
    await waitUntil(async () => expect(await of()).toHaveLength(3));
    const [third, second] = await of();
    expect(third).toMatchObject({ sequence: 3, attempt: 1, outcome: "delivered", status: 204, reason: "" });
    expect(second).toMatchObject({ sequence: 2, outcome: "failed", reason: "answered 400 Bad Request" });
    expect(await of({ outcome: "failed" })).toEqual([second]);
    expect(await of({ outcome: "delivered", limit: 1 })).toEqual([third]);
    expect(await of({ subscription: "another" })).toEqual([]);
    expect(await of({ since: Date.now() + 1 })).toEqual([]);
    expect(await of({ outcome: "gone" })).toEqual([]);
  });
});
