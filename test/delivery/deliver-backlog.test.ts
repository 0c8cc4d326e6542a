import { describe, expect, test } from "vitest";
import { parseSetId } from "../../src/channels/channel.ts";
import { createChannels } from "../../src/channels/registry.ts";
import { deliverBacklogs } from "../../src/delivery/deliver-backlog.ts";
import type { Failing } from "../../src/delivery/delivery-ledger.ts";
import { createLogPages } from "../../src/delivery/log-pages.ts";
import { createEvents } from "../../src/observability/events.ts";
import { silentLogger } from "../../src/observability/logger.ts";
import { createMetrics } from "../../src/observability/metrics.ts";
import { engineNames, openEngine } from "../support/engines.ts";
import { nothingIsPrivate } from "../support/may-receive.ts";
import { newNotification, testChannel } from "../support/new-notification.ts";
import { newSubscription } from "../support/new-subscription.ts";

const start = 1_700_000_000_000;
const id = testChannel();
const maps = {
  id: parseSetId("maps")!,
  capabilities: {},
  profile: "auto",
  channels: "websub",
  topics: {},
} as const;
const channel = createChannels({ baseUrl: "https://hub.example.org", sets: [maps] }).byId(id)!;

describe.each(engineNames)("a backlog of which retention took a part, %s engine", (engine) => {
  /** One subscription that has nothing of three notifications, of which those up to `trimmed` were let go of. */
  async function deliver(trimmed: number, failing?: Failing) {
    await using store = await openEngine(engine, { now: () => start });
    const { log, subscriptions, ledger } = store;
    for (let n = 1; n <= 3; n += 1) await log.append(id, newNotification(`<n${n}/>`));
    const subscription = newSubscription("late");
    await subscriptions.activate(subscription, 0);
    if (failing !== undefined) {
      const [claim] = await ledger.claim(id, "all", start);
      await ledger.defer(claim!, failing);
    }
    await log.trimBefore(id, trimmed + 1);

    const metrics = createMetrics();
    const attempts: [sequence: number, attempt: number][] = [];
    const backlog = deliverBacklogs({
      ...nothingIsPrivate,
      pages: createLogPages(log),
      log,
      subscriptions,
      ledger,
      attempt: async (_subscription, _channel, { sequence }, attempt) => {
        attempts.push([sequence, attempt]);
        return { kind: "delivered", status: 204, milliseconds: 1 };
      },
      advance: async (move) => (await ledger.advance(id, [move]))[0] ?? false,
      retry: () => "give-up",
      exhausted: "park",
      deadLetters: 10_000,
      records: { record: () => {} },
      events: createEvents(silentLogger, metrics),
      now: () => start,
    });
    const [claim] = await ledger.claim(id, "all", start + 1);
    const end = await backlog(channel, claim!, new AbortController().signal);
    const missed = (await metrics.missed.get()).values.reduce((sum, { value }) => sum + value, 0);
    const stillBehind = await ledger.release(id, [claim!]);
    const cursor = (await ledger.progress(id, subscription.id))?.cursor;
    return { end: end.kind, attempts, missed, cursor, stillBehind };
  }

  test("what is left is delivered, and what is gone is told", async () => {
    expect(await deliver(2)).toEqual({
      end: "caught-up",
      attempts: [[3, 1]],
      missed: 2,
      cursor: 3,
      stillBehind: [],
    });
  });

  test("where nothing is left, the subscription is not behind any more, and is not woken again and again", async () => {
    expect(await deliver(3)).toEqual({
      end: "caught-up",
      attempts: [],
      missed: 3,
      cursor: 3,
      stillBehind: [],
    });
  });

  test("one that was failing is told of what is gone, too, and the next notification has its attempts to itself", async () => {
    const last = { at: start, milliseconds: 1, status: 503, reason: "answered 503", answer: undefined };
    const failing = { attempts: 7, firstFailedAt: start - 1000, nextAttemptAt: start, last };
    expect(await deliver(1, failing)).toEqual({
      end: "caught-up",
      attempts: [
        [2, 1],
        [3, 1],
      ],
      missed: 1,
      cursor: 3,
      stillBehind: [],
    });
  });
});
