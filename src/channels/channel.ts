import type { Branded } from "../protocol/branded.ts";
import type { Topic } from "./topic.ts";

/** The name of a set of resources, as it stands in URLs. */
export type SetId = Branded<string, "SetId">;

/** Which log: `{set}/{kind}`. */
export type ChannelId = Branded<string, "ChannelId">;

/** Change and framework notifications never share a channel (notification 1.0.1 §2). */
export type ChannelKind = "change-notification" | "framework-notification";

export const channelKinds: readonly ChannelKind[] = ["change-notification", "framework-notification"];

/** Which notifications a channel takes; `auto` recognises the profile of each. */
export type AcceptedProfile = "auto" | "1.0.1" | "1.0" | "0.8";

/** A topic of a set of resources. */
export interface Channel extends Topic {
  readonly set: SetId;
  /** As its set. */
  readonly isPrivate: boolean;
  readonly kind: ChannelKind;
  readonly profile: AcceptedProfile;
  /** Where a Source posts and a Destination connects, at this hub. */
  readonly url: string;
  /** The same place for a WebSocket client: ws:// or wss://. */
  readonly socketUrl: string;
  /** What Destinations subscribe to: `url`, unless the topic lives at the Source. */
  readonly topic: string;
  readonly capabilityListUrl: string;
}

const setShape = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** `undefined` where the text cannot be the id of a set: letters, digits, `.`, `_`, `-`, at most 64. */
export function parseSetId(text: string): SetId | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the pattern is the check
  return setShape.test(text) ? (text as SetId) : undefined;
}

export function channelIdOf(set: SetId, kind: ChannelKind): ChannelId {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- made from its parts
  return `${set}/${kind}` as ChannelId;
}

/** The set whose channel it is; of a topic elsewhere, which is of no set, a text that is the id of none. */
export function setOfChannel(id: ChannelId): string {
  return id.slice(0, id.indexOf("/"));
}
