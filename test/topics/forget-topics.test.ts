import { expect, test } from "vitest";
import { forgetTopics } from "../../src/topics/forget-topics.ts";
import { idOfTopicElsewhere } from "../../src/topics/topic-elsewhere.ts";
import { engineNames, openEngine, silentEvents } from "../support/engines.ts";
import { newNotification } from "../support/new-notification.ts";
import { newSubscription } from "../support/new-subscription.ts";

const url = "https://blog.example.org/feed";
const id = idOfTopicElsewhere(url);
const hour = 3_600_000;

test.each(engineNames)(
  "a topic that nobody has subscribed to for an hour is forgotten, %s engine",
  async (name) => {
    let now = 1_700_000_000_000;
    await using engine = await openEngine(name);
    const { topicStore: store, subscriptions, log } = engine;
    const forget = forgetTopics({ ...engine, store, events: silentEvents, now: () => now });
    const links = { self: null, hubs: [], validators: null };
    const record = { id, url, ...links, digest: "", sequence: 0, fetchedAt: now, wantedAt: now, revision: 1 };
    await store.replace(undefined, record);
    await log.append(id, newNotification("old"));
    const subscription = newSubscription("a", { channel: id });
    await subscriptions.activate(subscription, 0);

    now += hour;
    await forget();
    expect(await store.find(id)).toMatchObject({ wantedAt: now });
    await subscriptions.end(id, subscription.id);
    now += hour - 1;
    await forget();
    expect(await store.find(id)).toBeDefined();
    now += 1;
    await forget();
    expect(await store.all()).toEqual([]);
    expect(await log.bounds(id)).toMatchObject({ oldest: 2, newest: 1 });
    expect(await log.read(id, 0, 10)).toEqual([]);
  },
);
