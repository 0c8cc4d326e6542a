import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { channelIdOf, parseSetId } from "../../src/channels/channel.ts";
import { type SubscriptionPage, subscriptionPage } from "../../src/operations/schemas/subscriptions.ts";
import { engineNames, openEngine } from "../support/engines.ts";
import { newNotification } from "../support/new-notification.ts";
import { newSubscription } from "../support/new-subscription.ts";
import { operate } from "../support/operator.ts";
import { startTestHub, type TestHub } from "../support/start-hub.ts";

const [maps, prefix] = [parseSetId("maps")!, `t${crypto.randomUUID().slice(0, 8)}`];
const total = 1000;

/** A quarter of them is behind, and nobody takes what is delivered to them. */
async function fill(engine: (typeof engineNames)[number], directory: string): Promise<void> {
  await using store = await openEngine(engine, { directory, prefix });
  const activate = async (_: unknown, n: number): Promise<void> => {
    const kind = n % 4 === 0 ? "framework-notification" : "change-notification";
    const channel = channelIdOf(maps, kind);
    const callback = `http://127.0.0.1:9/callback/${n}`;
    const times = { createdAt: Date.now(), expiresAt: Date.now() + 1_000_000 };
    await store.subscriptions.activate(newSubscription(`s${n}`, { channel, callback, ...times }), 0);
  };
  await Promise.all(Array.from({ length: total }, activate));
  await store.log.append(channelIdOf(maps, "framework-notification"), newNotification("one"));
}

async function readAll(hub: TestHub, query: string): Promise<SubscriptionPage[]> {
  const pages: SubscriptionPage[] = [];
  let next: string | undefined = `/subscriptions?${query}`;
  while (next !== undefined) {
    const page = subscriptionPage.parse(await (await operate(hub, next)).json());
    pages.push(page);
    next = page.next;
  }
  return pages;
}

test.each(engineNames)(
  "a thousand subscriptions come in pages, each once, in one order, %s",
  async (engine) => {
    const directory = await mkdtemp(join(tmpdir(), "hub-pages-"));
    try {
      await fill(engine, directory);
      await using hub = await startTestHub({
        engine,
        directory,
        prefix,
        yaml: "delivery: { retry: [1h] }\n",
      });

      const pages = await readAll(hub, "limit=300");
      expect(pages.map(({ subscriptions }) => subscriptions.length)).toEqual([300, 300, 300, 100]);
      const all = pages.flatMap(({ subscriptions }) => subscriptions);
      expect(new Set(all.map(({ id }) => id)).size).toBe(total);
      const keys = all.map(({ channel, id }) => `${channel} ${id}`);
      expect(keys).toEqual(keys.toSorted((a, b) => (a < b ? -1 : 1)));

      const behind = await readAll(hub, "behind=1&limit=125");
      expect(behind.map(({ subscriptions }) => subscriptions.length)).toEqual([125, 125]);
      expect(behind[0]?.next).toContain("behind=1&limit=125&after=");

      const [exact] = await readAll(hub, "limit=250&channel=maps%2Fframework-notification");
      expect(exact?.next).toBeUndefined();
      expect(exact?.subscriptions).toHaveLength(250);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  },
);
