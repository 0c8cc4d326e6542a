import { setOfChannel } from "../channels/channel.ts";
import type { Channels, ResourceSet } from "../channels/registry.ts";
import type { Events } from "../observability/events.ts";
import type { Admission } from "./admission.ts";
import { type FetchTarget, targetName } from "./fetch-targets.ts";
import type { PendingFetches } from "./pending-fetches.ts";
import type { TopicStore } from "./topic-store.ts";

type PingAnswer =
  /** Remembered: what changed is fetched, by this process or by another, also after a crash. */
  | { readonly kind: "taken" }
  /** What is a topic that can be pinged is fetched all the same; `reason` names what is not, one a line. */
  | {
      readonly kind: "refused";
      readonly because: "too-many" | "unknown" | "not-fetched";
      readonly reason: string;
    };

/** Takes `hub.mode=publish`. Throws `StorageUnavailable` where the ping could not be remembered. */
export type AcceptPing = (urls: readonly string[], sees?: Sees) => Promise<PingAnswer>;

/** Whether the sender may know of a set. */
type Sees = (set: ResourceSet) => boolean;

interface Parts {
  readonly channels: Pick<Channels, "byTopic" | "sets">;
  readonly admission: Pick<Admission, "admits">;
  readonly changeListOf: (url: string) => readonly FetchTarget[];
  readonly store: Pick<TopicStore, "named">;
  readonly pending: Pick<PendingFetches, "remember">;
  /** Something is to be fetched now. */
  readonly wake: () => void;
  readonly events: Pick<Events, "pinged">;
}

const maxTopics = 100;

interface Found {
  readonly targets: readonly FetchTarget[];
  readonly fault: "unknown" | "not-fetched" | undefined;
}

export function acceptPings(parts: Parts): AcceptPing {
  const { channels, admission, changeListOf, store, pending, wake, events } = parts;

  return async (urls, sees = () => true) => {
    const hidden = new Set<string>(channels.sets.filter((set) => !sees(set)).map(({ id }) => id));
    if (urls.length > maxTopics)
      return { kind: "refused", because: "too-many", reason: tooMany(urls.length) };
    const found = await Promise.all(urls.map(async (url) => ({ url, ...(await find(url, hidden)) })));
    const targets = new Set(found.flatMap((each) => each.targets.map(targetName)));
    await Promise.all([...targets].map((target) => pending.remember(target)));
    if (targets.size > 0) wake();
    const refused = found.filter(({ fault }) => fault !== undefined);
    events.pinged({ topics: urls.length - refused.length, unknown: refused.length });
    if (refused.length === 0) return { kind: "taken" };
    const because = refused.some(({ fault }) => fault === "unknown") ? "unknown" : "not-fetched";
    const lines = refused.map(({ url, fault }) => (fault === "unknown" ? unknown(url) : notFetched(url)));
    const rest = refused.length === urls.length ? [] : ["The other topics are fetched."];
    return { kind: "refused", because, reason: [...lines, ...rest].join("\n") };
  };

  async function find(url: string, hidden: ReadonlySet<string>): Promise<Found> {
    const found = channels.byTopic(url);
    const channel = found !== undefined && hidden.has(found.set) ? undefined : found;
    const lists = changeListOf(url).filter((list) => list.kind === "topic" || !hidden.has(list.set));
    const named = (await store.named(url))
      .filter(({ id }) => !hidden.has(setOfChannel(id)))
      .map(({ id }) => ({ kind: "topic" as const, id }));
    const isFetched = channel !== undefined && channel.topic !== channel.url;
    const own = isFetched ? [{ kind: "topic" as const, id: channel.id }] : [];
    const targets = [...own, ...lists, ...named];
    if (targets.length > 0) return { targets, fault: undefined };
    if (channel !== undefined) return { targets, fault: "not-fetched" };
    // A topic that nobody has subscribed to is taken as well: there is nobody to fetch it for.
    return { targets, fault: admission.admits(url) ? undefined : "unknown" };
  }
}

function tooMany(count: number): string {
  return `The ping names ${count} topics; at most ${maxTopics} are taken at a time. Send several pings.`;
}

function unknown(url: string): string {
  return `${url} is not a topic of this hub. The operator can admit it, in \`topics\` of the configuration.`;
}

function notFetched(url: string): string {
  return `${url} is a topic at this hub, where there is nothing to fetch. POST the notification itself to it.`;
}
