import type { ChannelId } from "../channels/channel.ts";
import type { NotificationLog } from "../log/notification-log.ts";
import type { Events } from "../observability/events.ts";
import { sha256Hex } from "../protocol/hash.ts";
import { originOf } from "../protocol/http-url.ts";
import type { FetchTopic } from "./fetch-topic.ts";
import { isElsewhere } from "./topic-elsewhere.ts";
import { type TopicStore, updateTopic } from "./topic-store.ts";

/** `reason` is a sentence for the subscriber (WebSub §5.2). */
type TopicValidation = { readonly kind: "valid" } | { readonly kind: "refused"; readonly reason: string };

interface Parts {
  readonly store: Pick<TopicStore, "find" | "replace">;
  readonly log: Pick<NotificationLog, "bounds">;
  readonly fetch: FetchTopic;
  readonly events: Pick<Events, "topicFound" | "topicRefused">;
  readonly now: () => number;
}

interface Wanted {
  readonly channel: ChannelId;
  /** As the subscriber wrote it. */
  readonly topic: string;
}

/** A topic that was wanted not longer ago need not be written again. Milliseconds. */
const wantedLately = 60_000;

/**
 * Whether a topic can be subscribed to: one elsewhere must be there. It is fetched once, when nobody has asked for it before;
 * what it is then is known, and not delivered.
 */
export function validateTopics({ store, log, fetch, events, now }: Parts) {
  /** Many can ask for a new topic at the same time. */
  const underWay = new Map<ChannelId, Promise<TopicValidation>>();

  return async ({ channel: id, topic: url }: Wanted): Promise<TopicValidation> => {
    if (!isElsewhere(id)) return { kind: "valid" };
    const running = underWay.get(id);
    if (running !== undefined) return running;
    const validation = validate(id, url).finally(() => underWay.delete(id));
    underWay.set(id, validation);
    return validation;
  };

  async function validate(id: ChannelId, url: string): Promise<TopicValidation> {
    const known = await store.find(id);
    if (known !== undefined && now() - known.wantedAt < wantedLately) return { kind: "valid" };
    if (await updateTopic(store, id, (before) => ({ ...before, wantedAt: now() }))) return { kind: "valid" };

    const fetched = await fetch(url, null);
    const origin = originOf(url);
    // Whoever called it off asks no further.
    if (fetched.kind === "abandoned") return { kind: "valid" };
    if (fetched.kind !== "content") {
      const reason = fetched.kind === "failed" ? fetched.reason : `${origin} answered 304 instead of 200`;
      events.topicRefused({ channel: id, origin, reason });
      return { kind: "refused", reason: `The topic could not be fetched: ${reason}.` };
    }
    const { body, links, validators } = fetched;
    await store.replace(undefined, {
      id,
      url,
      self: links.self ?? null,
      hubs: [...links.hubs],
      validators,
      digest: sha256Hex(body),
      sequence: (await log.bounds(id)).newest,
      fetchedAt: now(),
      wantedAt: now(),
      revision: 1,
    });
    events.topicFound({ channel: id, origin });
    return { kind: "valid" };
  }
}
