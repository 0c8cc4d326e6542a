import { describe, expect, test } from "vitest";
import { parseSetId } from "../../src/channels/channel.ts";
import { createChannels } from "../../src/channels/registry.ts";
import { deliverBacklogs } from "../../src/delivery/deliver-backlog.ts";
import { createLogPages } from "../../src/delivery/log-pages.ts";
import { engineNames, openEngine, silentEvents } from "../support/engines.ts";
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
const subscription = newSubscription("a", { secret: "old" });
const last = { at: start, milliseconds: 1, status: 500, reason: "answered 500", answer: undefined };

describe.each(engineNames)(
  "a secret that is changed while a long backlog is delivered, %s engine",
  (engine) => {
    /** The callback takes four seconds for each of six notifications; the secret is changed while it has the second one. */
    async function secretsUsed(prepare: (store: Awaited<ReturnType<typeof openEngine>>) => Promise<void>) {
      const clock = { now: start };
      await using store = await openEngine(engine, { now: () => clock.now });
      const { log, subscriptions, ledger } = store;
      for (let n = 1; n <= 6; n += 1) await log.append(id, newNotification(`<n${n}/>`));
      await subscriptions.activate(subscription, 0);
      await prepare(store);
      const used: (string | undefined)[] = [];
      const backlog = deliverBacklogs({
        ...store,
        ...nothingIsPrivate,
        pages: createLogPages(log),
        attempt: async ({ secret }) => {
          used.push(secret);
          if (used.length === 2) await subscriptions.rotateSecret(id, subscription.id, "new", 0);
          clock.now += 4000;
          return { kind: "delivered", status: 204, milliseconds: 4000 };
        },
        advance: async (move) => (await ledger.advance(id, [move]))[0] ?? false,
        retry: () => "give-up",
        exhausted: "park",
        deadLetters: 100,
        records: { record: () => {} },
        events: silentEvents,
        now: () => clock.now,
      });
      const [claim] = await ledger.claim(id, "all", start);
      expect(await backlog(channel, claim!, new AbortController().signal)).toEqual({ kind: "caught-up" });
      return used;
    }

    test("what comes more than five seconds later is signed with the new one", async () => {
      expect(await secretsUsed(async () => {})).toEqual(["old", "old", "new", "new", "new", "new"]);
    });

    test("so it is with dead letters that are sent again", async () => {
      const used = await secretsUsed(async ({ ledger, deadLetters }) => {
        const [claim] = await ledger.claim(id, "all", start);
        for (let sequence = 1; sequence <= 6; sequence += 1) {
          const letter = {
            channel: id,
            subscription: subscription.id,
            sequence,
            position: undefined,
            attempts: 1,
            firstFailedAt: start,
            parkedAt: start,
            last,
            unsendable: undefined,
          };
          await ledger.park({ claim: claim!, from: sequence - 1, to: sequence }, letter, 100);
        }
        await deadLetters.resend(id, subscription.id, { since: 0 });
        await ledger.release(id, [claim!]);
      });
      expect(used).toEqual(["old", "old", "new", "new", "new", "new"]);
    });
  },
);
