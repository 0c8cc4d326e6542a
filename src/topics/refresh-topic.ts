import type { ChannelId } from "../channels/channel.ts";
import type { NotificationLog } from "../log/notification-log.ts";
import type { Events } from "../observability/events.ts";
import { sha256Hex } from "../protocol/hash.ts";
import { originOf } from "../protocol/http-url.ts";
import { answered, type FetchOutcome } from "./fetch-outcome.ts";
import type { FetchTopic, TopicContent } from "./fetch-topic.ts";
import type { FetchedTopic } from "./topic-elsewhere.ts";
import { type TopicStore, updateTopic } from "./topic-store.ts";

interface Parts {
  readonly store: Pick<TopicStore, "find" | "replace">;
  readonly log: Pick<NotificationLog, "append" | "bounds" | "read">;
  readonly fetch: FetchTopic;
  readonly events: Pick<Events, "topicChanged" | "topicUnchanged">;
  readonly now: () => number;
}

/** How long two processes that fetched the same content could both be about to append it. Milliseconds. */
const sameAppendWithin = 10 * 60_000;

/** Fetches a topic elsewhere and appends its content to the topic's log, if it is not what it was. */
export function refreshTopics({ store, log, fetch, events, now }: Parts) {
  return async (id: ChannelId): Promise<FetchOutcome> => {
    const topic = await store.find(id);
    // Nobody subscribes to it any more.
    if (topic === undefined) return answered;
    const origin = originOf(topic.url);
    const fetched = await fetch(topic.url, topic.validators);
    if (fetched.kind === "failed" || fetched.kind === "abandoned") return fetched;
    if (fetched.kind === "unchanged") {
      events.topicUnchanged({ channel: id, origin });
      await updateTopic(store, id, (before) => ({ ...before, fetchedAt: now() }));
      return answered;
    }
    const discovered = { self: fetched.links.self ?? null, hubs: [...fetched.links.hubs] };
    // Before the append: deliveries begin with it, and name the topic by these.
    if (JSON.stringify(discovered) !== JSON.stringify({ self: topic.self, hubs: topic.hubs })) {
      await updateTopic(store, id, (before) => ({ ...before, ...discovered }));
    }
    const digest = sha256Hex(fetched.body);
    const sequence = await appendNew(topic, fetched, digest);
    const { validators } = fetched;
    await updateTopic(store, id, (before) => ({
      ...before,
      validators,
      digest,
      sequence,
      fetchedAt: now(),
    }));
    return answered;
  };

  /** Answers the newest sequence number by then. */
  async function appendNew(topic: FetchedTopic, content: TopicContent, digest: string): Promise<number> {
    const { id, url } = topic;
    const { newest } = await log.bounds(id);
    const { body, contentType } = content;
    const origin = originOf(url);
    if ((await lastDigest(topic, newest)) === digest) {
      events.topicUnchanged({ channel: id, origin });
      return newest;
    }
    const outcome = await log.append(id, {
      payload: body,
      contentType,
      // Content that came before comes again where another was in between; only at the same place is it a repeat.
      digest: sha256Hex(`${newest} ${digest}`),
      interval: undefined,
      receipt: "",
      idempotencyKey: undefined,
      repeatWindow: sameAppendWithin,
      refuseOverlap: false,
    });
    if (outcome.kind !== "appended") return newest;
    const { position, sequence } = outcome.entry;
    events.topicChanged({ channel: id, origin, position, bytes: body.length });
    return sequence;
  }

  /** Where the hub died between an append and what it noted of it, the log knows better. */
  async function lastDigest({ id, digest, sequence }: FetchedTopic, newest: number): Promise<string> {
    if (newest <= sequence) return digest;
    const [last] = await log.read(id, newest - 1, 1);
    return last === undefined ? digest : sha256Hex(last.payload);
  }
}
