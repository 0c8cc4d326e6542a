import type { ChannelId } from "../channels/channel.ts";
import type { FetchedTopic } from "./topic-elsewhere.ts";

/** Every method throws `StorageUnavailable` where the store cannot be reached; what it resolved is durable. */
export interface TopicStore {
  all(): Promise<readonly FetchedTopic[]>;
  find(id: ChannelId): Promise<FetchedTopic | undefined>;
  /** The topics that were asked for by this URL, or whose discovered self it is. */
  named(url: string): Promise<readonly FetchedTopic[]>;
  /** `false`, and nothing is changed, where the stored record is not `before`: another process changed it. */
  replace(before: FetchedTopic | undefined, after: FetchedTopic): Promise<boolean>;
  remove(before: FetchedTopic): Promise<boolean>;
}

/** Changes the record as it is by then; `change` can be called several times. Answers whether there was one. */
export async function updateTopic(
  store: Pick<TopicStore, "find" | "replace">,
  id: ChannelId,
  change: (before: FetchedTopic) => FetchedTopic,
): Promise<boolean> {
  for (;;) {
    const before = await store.find(id);
    if (before === undefined) return false;
    if (await store.replace(before, { ...change(before), revision: before.revision + 1 })) return true;
  }
}
