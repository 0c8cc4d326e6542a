import type { Channel } from "../channels/channel.ts";
import { writeDocument } from "../protocol/write-document.ts";
import type { EntryToWrite } from "../protocol/write-entry.ts";

/** `websub`: notification 1.0.1 §5. `websocket`: notification 0.8 §3. */
export type CapabilityListForm = "websub" | "websocket";

/** Documents that the Source keeps itself, by capability. */
type OwnCapability = "resourcelist" | "resourcedump" | "changelist" | "changedump";

/** Documents that the hub makes of a set, by capability. One that the Source keeps itself stands in their place. */
export type HubDocuments = Readonly<Record<string, string>>;

export interface AdvertisedSet {
  readonly capabilityListUrl: string;
  readonly describedBy: string | undefined;
  readonly capabilities: Readonly<Partial<Record<OwnCapability, string | undefined>>>;
  readonly channels: readonly Channel[];
}

/** Names the WebSocket protocol, so that a reader who knows it finds the socket of a topic (core 1.1 §7: relations may be URIs). */
const webSocketRelation = "urn:ietf:rfc:6455";

function channelEntry(channel: Channel, form: CapabilityListForm): EntryToWrite {
  const metadata = { capability: channel.kind };
  if (form === "websocket") return { loc: channel.socketUrl, metadata };
  return {
    loc: channel.topic,
    metadata,
    // The hub link is last: a reader is known that keeps only the last link of an entry.
    links: [
      { rel: webSocketRelation, href: channel.socketUrl },
      { rel: "hub", href: channel.hubUrl },
    ],
  };
}

/**
 * The Capability List of a set (core 1.1 §9). A capability stands in it once, so the two forms of a channel are two
 * documents: `form` says which.
 */
export function writeCapabilityList(
  set: AdvertisedSet,
  form: CapabilityListForm,
  sourceDescriptionUrl: string,
  hubDocuments: HubDocuments = {},
): string {
  const own = Object.entries({ ...hubDocuments, ...set.capabilities }).flatMap(([capability, loc]) =>
    loc === undefined ? [] : [{ loc, metadata: { capability } }],
  );
  return writeDocument({
    links: [
      ...(set.describedBy === undefined ? [] : [{ rel: "describedby", href: set.describedBy }]),
      { rel: "up", href: sourceDescriptionUrl },
    ],
    metadata: { capability: "capabilitylist" },
    entries: [...own, ...set.channels.map((channel) => channelEntry(channel, form))],
  });
}
