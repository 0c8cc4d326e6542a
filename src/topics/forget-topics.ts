import type { ChannelId } from "../channels/channel.ts";
import type { NotificationLog } from "../log/notification-log.ts";
import type { Events } from "../observability/events.ts";
import { originOf } from "../protocol/http-url.ts";
import { isElsewhere } from "./topic-elsewhere.ts";
import { type TopicStore, updateTopic } from "./topic-store.ts";

interface Parts {
  readonly store: TopicStore;
  readonly log: Pick<NotificationLog, "bounds" | "trimBefore">;
  readonly subscriptions: { list(channel: ChannelId): Promise<readonly unknown[]> };
  readonly events: Pick<Events, "topicForgotten">;
  readonly now: () => number;
}

/** Much longer than what a request to subscribe waits for its verification. Milliseconds. */
const keptUnwanted = 3_600_000;

/** Lets go of topics elsewhere that nobody subscribes to, and of what their logs hold. */
export function forgetTopics({ store, log, subscriptions, events, now }: Parts): () => Promise<void> {
  return async () => {
    for (const topic of await store.all()) {
      const { id, url, wantedAt } = topic;
      if (!isElsewhere(id) || now() - wantedAt < keptUnwanted) continue;
      if ((await subscriptions.list(id)).length > 0) {
        await updateTopic(store, id, (before) => ({ ...before, wantedAt: now() }));
        continue;
      }
      // Its numbers go on, should it come back: a position never means two things.
      await log.trimBefore(id, (await log.bounds(id)).newest + 1);
      // Not where somebody has asked for it since.
      if (await store.remove(topic)) events.topicForgotten({ channel: id, origin: originOf(url) });
    }
  };
}
