import type { Channels } from "../channels/registry.ts";
import type { Topics } from "../channels/topic.ts";
import { asTopic, isElsewhere } from "./topic-elsewhere.ts";
import type { TopicStore } from "./topic-store.ts";

/**
 * The topics of the sets, and those elsewhere. The store is asked each time: another process may have found a topic, or what
 * is discovered of it may have changed, a moment ago.
 */
export function knownTopics(
  { all, byId, hubUrl }: Pick<Channels, "all" | "byId" | "hubUrl">,
  store: Pick<TopicStore, "all" | "find">,
): Topics {
  return {
    async all() {
      const fetched = (await store.all()).filter(({ id }) => isElsewhere(id));
      return [...all, ...fetched.map((topic) => asTopic(topic, hubUrl))];
    },
    async byId(id) {
      const channel = byId(id);
      if (channel !== undefined || !isElsewhere(id)) return channel;
      const topic = await store.find(id);
      return topic && asTopic(topic, hubUrl);
    },
  };
}
