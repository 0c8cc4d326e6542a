import type { ChannelId } from "./channel.ts";

/** What can be subscribed to, and so has a log of its own. */
export interface Topic {
  readonly id: ChannelId;
  /** Its canonical URL, `rel="self"` of what is delivered (WebSub §7). */
  readonly topic: string;
  /** `rel="hub"` of what is delivered. */
  readonly hubUrl: string;
}

/** Every topic that has, or may have, subscriptions. Throws `StorageUnavailable` where that cannot be read. */
export interface Topics {
  all(): Promise<readonly Topic[]>;
  byId(id: ChannelId): Promise<Topic | undefined>;
}
