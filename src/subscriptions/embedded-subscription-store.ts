import { z } from "zod";
import type { ChannelId } from "../channels/channel.ts";
import { type EmbeddedEnvironment, keysBelow } from "../log/embedded-environment.ts";
import { storedIntent, storedSubscription } from "./stored-subscription.ts";
import { renewedSubscription, withSecret } from "./renewal.ts";
import type { Subscription, SubscriptionId } from "./subscription.ts";
import type { SubscriptionStore } from "./subscription-store.ts";

/** What delivery keeps of failures, as far as a renewal must know it. */
const pausedRow = z.object({ paused: z.looseObject({ because: z.literal("operator") }) });

const intentRow = z.object({ untouchedUntil: z.number(), request: storedIntent });

/** What delivery keeps beside a subscription: it begins and ends with it. Keys begin with channel and subscription. */
export function embeddedProgressTables(environment: EmbeddedEnvironment) {
  return {
    cursors: environment.table("cursors", z.number().int().nonnegative()),
    failures: "failures",
    deadLetters: "dead-letters",
    marks: "letter-marks",
  };
}

/** Subscriptions and the requests for them, in LMDB. */
export function createEmbeddedSubscriptionStore(environment: EmbeddedEnvironment): SubscriptionStore {
  const subscriptions = environment.table("subscriptions", storedSubscription);
  const intents = environment.table("intents", intentRow);
  const progress = embeddedProgressTables(environment);
  const failures = environment.table(progress.failures, z.unknown());
  const letterTables = [progress.deadLetters, progress.marks].map((name) =>
    environment.table(name, z.unknown()),
  );
  const keyOf = (channel: ChannelId, id: SubscriptionId) => [channel, id];

  const change = (channel: ChannelId, id: SubscriptionId, to: (before: Subscription) => Subscription) =>
    environment.write((changing) => {
      const rows = subscriptions.within(changing);
      const before = rows.get(keyOf(channel, id));
      if (before !== undefined) rows.put(keyOf(channel, id), to(before));
      return before !== undefined;
    });

  return {
    async remember(request, untouchedUntil) {
      await environment.write((changing) => {
        intents.within(changing).put([request.id], { untouchedUntil, request });
      });
    },
    async forget({ id }) {
      await environment.write((changing) => intents.within(changing).remove([id]));
    },
    async takeOverdue(now, untouchedUntil, limit) {
      return await environment.write((changing) => {
        const rows = intents.within(changing);
        const overdue = [...intents.range({ from: [""], to: ["\u{10ffff}"] })]
          .flatMap(({ key }) => rows.get(key) ?? [])
          .filter((row) => row.untouchedUntil <= now)
          .toSorted((a, b) => a.request.askedAt - b.request.askedAt)
          .slice(0, limit);
        for (const { request } of overdue) {
          rows.put([request.id], { untouchedUntil, request });
        }
        return overdue.map(({ request }) => request);
      });
    },
    async activate(subscription, cursor, keepSecretUntil = 0) {
      const key = keyOf(subscription.channel, subscription.id);
      return await environment.write((changing) => {
        const rows = subscriptions.within(changing);
        const before = rows.get(key);
        if (before !== undefined) {
          rows.put(key, renewedSubscription(subscription, before, keepSecretUntil));
          const pause = pausedRow.safeParse(failures.within(changing).get(key));
          if (!pause.success) failures.within(changing).remove(key);
          else failures.within(changing).put(key, { paused: pause.data.paused });
          return "renewed";
        }
        rows.put(key, subscription);
        progress.cursors.within(changing).put(key, cursor);
        return "created";
      });
    },
    async end(channel, id) {
      const key = keyOf(channel, id);
      return await environment.write((changing) => {
        if (subscriptions.within(changing).get(key) === undefined) return false;
        subscriptions.within(changing).remove(key);
        progress.cursors.within(changing).remove(key);
        failures.within(changing).remove(key);
        for (const table of letterTables)
          for (const row of table.range(keysBelow(channel, id))) table.within(changing).remove(row.key);
        return true;
      });
    },
    setExhausted: (channel, id, exhausted) => change(channel, id, (before) => ({ ...before, exhausted })),
    rotateSecret: (channel, id, secret, until) =>
      change(channel, id, (before) => withSecret({ ...before, secret }, before, until)),
    async find(channel, id) {
      return subscriptions.get(keyOf(channel, id));
    },
    async list(channel) {
      return [...subscriptions.range(keysBelow(channel))].map(({ row }) => row);
    },
  };
}
