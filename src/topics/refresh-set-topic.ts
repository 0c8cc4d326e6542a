import type { Channel, ChannelId } from "../channels/channel.ts";
import type { Channels } from "../channels/registry.ts";
import type { Events } from "../observability/events.ts";
import { sha256Hex } from "../protocol/hash.ts";
import { originOf } from "../protocol/http-url.ts";
import { judgeDocument } from "../protocol/judge-document.ts";
import { defaultLimits } from "../protocol/reading-limits.ts";
import type { AcceptNotification, PublishOutcome } from "../publish/accept-notification.ts";
import type { TakeChangeList } from "../watching/change-list-intake.ts";
import { answered, type FetchOutcome } from "./fetch-outcome.ts";
import type { FetchTopic, TopicContent } from "./fetch-topic.ts";
import { takeWhole } from "./refresh-change-list.ts";
import type { TopicStore } from "./topic-store.ts";

interface Parts {
  readonly channels: Pick<Channels, "byId">;
  readonly store: Pick<TopicStore, "find" | "replace">;
  readonly fetch: FetchTopic;
  readonly accept: AcceptNotification;
  readonly take: TakeChangeList;
  readonly events: Pick<
    Events,
    "topicUnchanged" | "fetchedNotificationAppended" | "fetchedNotificationRefused"
  >;
  readonly now: () => number;
}

/** Fetches a topic of a set that lives at its Source, and takes the notification that stands there as if it had been sent. */
export function refreshSetTopics(parts: Parts) {
  const { channels, store, fetch, accept, take, events, now } = parts;

  return async (id: ChannelId): Promise<FetchOutcome> => {
    const channel = channels.byId(id);
    // The configuration has changed since the ping.
    if (channel === undefined || channel.topic === channel.url) return answered;
    const stored = await store.find(id);
    const validators = stored?.url === channel.topic ? stored.validators : null;
    const fetchedAt = now();
    const fetched = await fetch(channel.topic, validators);
    if (fetched.kind === "failed" || fetched.kind === "abandoned") return fetched;
    const at = { channel: id, origin: originOf(channel.topic) };
    if (fetched.kind === "unchanged" || isEmpty(fetched.body)) {
      events.topicUnchanged(at);
      return answered;
    }
    const { body } = fetched;
    if (channel.kind === "change-notification" && isChangeList(body)) {
      return await takeWhole(take, { set: channel.set, url: channel.topic, body, fetchedAt });
    }
    const taken = { channel, payload: body, publisher: "ping", idempotencyKey: undefined };
    const outcome = await accept(taken);
    if (outcome.kind !== "accepted") {
      events.fetchedNotificationRefused({ ...at, reason: reasonOf(outcome) });
      return answered;
    }
    if (outcome.repeated) events.topicUnchanged(at);
    else events.fetchedNotificationAppended(at);
    await remember(channel, fetched);
    return answered;
  };

  /** Only for the next request to be conditional: where another process wrote it meanwhile, that is as good. */
  async function remember({ id, topic: url }: Channel, { body, validators }: TopicContent): Promise<void> {
    const before = await store.find(id);
    await store.replace(before, {
      id,
      url,
      self: null,
      hubs: [],
      validators,
      digest: sha256Hex(body),
      sequence: 0,
      fetchedAt: now(),
      wantedAt: now(),
      revision: (before?.revision ?? 0) + 1,
    });
  }
}

/** A topic can answer with headers alone (Change Notification 1.0.1 §4). */
function isEmpty(body: Buffer): boolean {
  return body.length < 1024 && body.toString("latin1").trim() === "";
}

/** Asked first: a Change List would also pass for a change notification of old. */
function isChangeList(body: Buffer): boolean {
  const verdict = judgeDocument(body, undefined, "auto", defaultLimits);
  return verdict.kind !== "unread" && /^changelist( index)?$/.test(verdict.judged.type);
}

function reasonOf(outcome: Exclude<PublishOutcome, { kind: "accepted" }>): string {
  if (outcome.kind === "key-reused") return "its key came before";
  const [first] = outcome.faults.filter(({ severity }) => severity === "error");
  if (first === undefined) return outcome.because;
  return `${first.rule}, line ${first.line}: ${first.message}`;
}
