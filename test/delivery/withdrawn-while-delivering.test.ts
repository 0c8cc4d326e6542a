import { describe, expect, test } from "vitest";
import { channelIdOf, parseSetId } from "../../src/channels/channel.ts";
import type { DeliveryOutcome } from "../../src/delivery/attempt-delivery.ts";
import { deliverBacklogs } from "../../src/delivery/deliver-backlog.ts";
import { createLogPages } from "../../src/delivery/log-pages.ts";
import { denySubscriptions } from "../../src/subscriptions/deny.ts";
import { revokeSubscriptions } from "../../src/subscriptions/revoke.ts";
import type { Subscription } from "../../src/subscriptions/subscription.ts";
import { createWithdrawals } from "../../src/subscriptions/withdraw.ts";
import { createEvents } from "../../src/observability/events.ts";
import { silentLogger } from "../../src/observability/logger.ts";
import { createMetrics } from "../../src/observability/metrics.ts";
import { createOutboundHttp } from "../../src/security/outbound-http.ts";
import { startCallbackServer } from "../support/callback-server.ts";
import { engineNames, openEngine, type TestEngine } from "../support/engines.ts";
import { newNotification } from "../support/new-notification.ts";
import { newSubscription } from "../support/new-subscription.ts";

const set = parseSetId("secret");
if (set === undefined) throw new Error("secret is a good id");
const id = channelIdOf(set, "change-notification");
const channel = { id, topic: "https://hub.example.org/t", hubUrl: "https://hub.example.org/websub" };
const start = 1_750_000_000_000;
const authorityOf = (name: string) => ({ from: "subscribers", name, until: undefined });
const delivered: DeliveryOutcome = { kind: "delivered", status: 204, milliseconds: 1 };

interface Told {
  readonly attempts: readonly number[];
  readonly end: unknown;
  readonly modes: readonly (string | null)[];
  readonly unauthorised: number;
  readonly found: Subscription | undefined;
}

/** Delivers three notifications; `during` each attempt the names of those who may read the set can change. */
async function deliver(
  store: TestEngine,
  during: (attempt: number, allowed: Set<string>, subscription: Subscription) => Promise<void> | void,
  prepare?: (subscription: Subscription) => Promise<void>,
): Promise<Told> {
  const { log, subscriptions, ledger } = store;
  await using callback = await startCallbackServer();
  const subscription = newSubscription("a", {
    channel: id,
    callback: callback.url(),
    authority: authorityOf("friend"),
    expiresAt: start + 600_000,
  });
  for (let n = 1; n <= 3; n += 1) await log.append(id, newNotification(`<n${n}/>`));
  await subscriptions.activate(subscription, 0);
  await prepare?.(subscription);
  const allowed = new Set(["friend"]);
  const metrics = createMetrics();
  const events = createEvents(silentLogger, metrics);
  const outbound = createOutboundHttp({ allow: ["127.0.0.1"], events, userAgent: "test" });
  const mayReceive = ({ authority }: Pick<Subscription, "authority">) => allowed.has(authority?.name ?? "");
  const deny = denySubscriptions({ outbound, events, timeout: 2000 });
  const revocations = revokeSubscriptions({ store: subscriptions, deny, events });
  const channels = { all: [{ id, isPrivate: true }] };
  const { endAndTell } = revocations;
  const attempts: number[] = [];
  const backlog = deliverBacklogs({
    ...store,
    ...createWithdrawals({ channels, store: subscriptions, mayReceive, endAndTell, events }),
    mayReceive,
    pages: createLogPages(log),
    attempt: async (_to, _topic, { sequence }) => {
      attempts.push(sequence);
      await during(attempts.length, allowed, subscription);
      return delivered;
    },
    advance: async (move) => (await ledger.advance(id, [move]))[0] ?? false,
    retry: () => "give-up",
    exhausted: "park",
    deadLetters: 100,
    records: { record: () => {} },
    events,
    now: () => start,
  });
  const [claim] = await ledger.claim(id, "all", start);
  if (claim === undefined) throw new Error("nothing to claim");
  const end = await backlog(channel, claim, new AbortController().signal);
  await revocations.settled();
  await outbound.close();
  const ended = (await metrics.subscriptionsEnded.get()).values;
  return {
    attempts,
    end,
    modes: callback.verifications.map(({ parameters }) => parameters.get("hub.mode")),
    unauthorised: ended.find(({ labels }) => labels.reason === "unauthorised")?.value ?? 0,
    found: await subscriptions.find(id, subscription.id),
  };
}

describe.each(engineNames)("on the %s engine", (engine) => {
  test("a backlog stops where the right to it is taken away, before the next notification is sent", async () => {
    await using store = await openEngine(engine, { now: () => start });
    const told = await deliver(store, (attempt, allowed) => void (attempt === 2 && allowed.clear()));
    expect(told).toEqual({
      attempts: [1, 2],
      end: { kind: "ended" },
      modes: ["denied"],
      unauthorised: 1,
      found: undefined,
    });
  });

  test("dead letters are not sent again to whom the right was taken from", async () => {
    await using store = await openEngine(engine, { now: () => start });
    const last = { at: start, milliseconds: 1, status: 500, reason: "answered 500", answer: undefined };
    const told = await deliver(
      store,
      (_attempt, allowed) => allowed.clear(),
      async ({ id: subscription }) => {
        const [claim] = await store.ledger.claim(id, "all", start);
        if (claim === undefined) throw new Error("nothing to claim");
        for (const { sequence, position } of await store.log.read(id, 0, 2)) {
          const at = { channel: id, subscription, sequence, position };
          const letter = { ...at, attempts: 1, firstFailedAt: start, parkedAt: start, last };
          const move = { claim, from: sequence - 1, to: sequence };
          await store.ledger.park(move, { ...letter, unsendable: undefined }, 100);
        }
        await store.ledger.release(id, [claim]);
        await store.deadLetters.resend(id, subscription, [1, 2]);
      },
    );
    expect(told).toMatchObject({ attempts: [1], end: { kind: "ended" }, modes: ["denied"], unauthorised: 1 });
  });

  test("whoever renewed meanwhile by another's right goes on", async () => {
    await using store = await openEngine(engine, { now: () => start });
    const told = await deliver(store, async (attempt, allowed, subscription) => {
      if (attempt !== 1) return;
      allowed.clear();
      allowed.add("library");
      await store.subscriptions.activate({ ...subscription, authority: authorityOf("library") }, 0);
    });
    // The claim is given back, and the next one knows the renewal.
    expect(told).toMatchObject({ attempts: [1], end: { kind: "caught-up" }, modes: [], unauthorised: 0 });
    expect(told.found?.authority).toEqual(authorityOf("library"));
  });
});
