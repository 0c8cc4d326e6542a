import type { ChannelId } from "../channels/channel.ts";
import type { Channels } from "../channels/registry.ts";
import { parseHttpUrl } from "../protocol/http-url.ts";
import { comparableUrl } from "../protocol/websub.ts";
import { idOfTopicElsewhere } from "./topic-elsewhere.ts";

/** A line of `topics` in the configuration: one topic, or all that a pattern covers. */
export interface AdmittedTopics {
  readonly match?: string;
  readonly url?: string;
}

export interface Admission {
  /** Whether the hub takes the URL for a topic that lives elsewhere. */
  admits(url: string): boolean;
  /** The id under which it can be subscribed to, as a topic of a set first; `undefined` where it cannot. */
  byTopic(url: string): { readonly id: ChannelId } | undefined;
  /**
   * Whether a redirect may lead from one URL to the other: over to https, elsewhere on the same origin, or to what is
   * admitted, too. Else an open redirect at a Source could make the hub read, and hand out, what only the hub can reach.
   */
  mayLead(from: string, to: string): boolean;
}

/** A pattern for a path must not be left through the path itself: servers read `/a/../b` as `/b`. */
const dotSegment = /\/\.{1,2}(?:[/;]|$)/;

interface TakenApart {
  readonly origin: string;
  readonly target: string;
}

/** As comparable URLs: scheme and host are the same or not, whatever a pattern says. */
function takenApart(url: string): TakenApart | undefined {
  const parsed = parseHttpUrl(comparableUrl(url));
  return "fault" in parsed ? undefined : parsed;
}

/** `*` stands for anything, `/` too. Takes time proportional to the text, whatever the pattern. */
function covers(pattern: string, text: string): boolean {
  const [first = "", ...others] = pattern.split("*");
  const last = others.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

export function createAdmission(
  channels: Pick<Channels, "byTopic" | "baseUrl">,
  listed: readonly AdmittedTopics[],
): Admission {
  const urls = new Set(listed.flatMap(({ url }) => (url === undefined ? [] : [comparableUrl(url)])));
  const patterns = listed.flatMap(({ match }) => (match === undefined ? [] : (takenApart(match) ?? [])));
  const ownUrls = comparableUrl(`${channels.baseUrl}/`);

  const admits = (url: string): boolean => {
    const comparable = comparableUrl(url);
    if (urls.has(comparable)) return true;
    const found = takenApart(comparable);
    // What the hub serves itself is a topic of a set, or none.
    if (found === undefined || comparable.startsWith(ownUrls)) return false;
    const [path = ""] = found.target.split("?");
    if (dotSegment.test(path)) return false;
    return patterns.some(({ origin, target }) => origin === found.origin && covers(target, found.target));
  };

  return {
    admits,
    byTopic: (url) => channels.byTopic(url) ?? (admits(url) ? { id: idOfTopicElsewhere(url) } : undefined),
    mayLead(from, to) {
      const [source, target] = [takenApart(from)?.origin, takenApart(to)?.origin];
      if (source === undefined || target === undefined) return false;
      return target === source || target === source.replace(/^http:/, "https:") || admits(to);
    },
  };
}
