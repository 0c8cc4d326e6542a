import { comparableUrl } from "../protocol/websub.ts";
import {
  type AcceptedProfile,
  type Channel,
  type ChannelId,
  channelIdOf,
  type ChannelKind,
  channelKinds,
  type SetId,
} from "./channel.ts";

/** What is told of a set: its place at the hub follows from its id. */
interface DeclaredSet {
  readonly id: SetId;
  readonly title?: string;
  readonly describedBy?: string;
  readonly access?: "public" | "private";
  readonly baseline?: string;
  readonly watch?: string;
  readonly capabilities: Readonly<Partial<Record<OwnCapability, string>>>;
  readonly profile: AcceptedProfile;
  readonly channels: "websub" | "websocket";
  readonly topics: Readonly<Partial<Record<ChannelKind, string>>>;
}

/** Documents that the Source keeps itself. */
type OwnCapability = "resourcelist" | "resourcedump" | "changelist" | "changedump";

export interface ResourceSet {
  readonly id: SetId;
  readonly title: string | undefined;
  readonly describedBy: string | undefined;
  /** Only those who are granted it may read it; nobody else learns that it is there. */
  readonly isPrivate: boolean;
  /** Where the Source's own Resource List is that the hub's begins with. */
  readonly baseline: string | undefined;
  /** The Source's Change List, or index of some, that the hub looks at. */
  readonly watch: string | undefined;
  readonly capabilities: Readonly<Partial<Record<OwnCapability, string>>>;
  readonly profile: AcceptedProfile;
  /** How the Capability List names the channels where nobody asks for a form: 1.0.1 (`websub`) or 0.8 (`websocket`). */
  readonly plainForm: "websub" | "websocket";
  readonly channels: readonly Channel[];
  readonly capabilityListUrl: string;
  /** Where the hub serves its own Resource List of the set. */
  readonly resourceListUrl: string;
}

/** Every set of resources of this hub and its channels; it does not change while the hub runs. */
export interface Channels {
  readonly baseUrl: string;
  readonly hubUrl: string;
  readonly sourceDescriptionUrl: string;
  readonly sets: readonly ResourceSet[];
  readonly all: readonly Channel[];
  find(set: string, kind: string): Channel | undefined;
  byId(id: ChannelId): Channel | undefined;
  /** Finds a topic however its URL is percent-encoded (WebSub §5.1). */
  byTopic(url: string): Channel | undefined;
}

function resourceSet(baseUrl: string, hubUrl: string, declared: DeclaredSet): ResourceSet {
  const { id, title, describedBy, baseline, watch, capabilities, profile, topics } = declared;
  const isPrivate = declared.access === "private";
  const capabilityListUrl = `${baseUrl}/sets/${id}/capabilitylist.xml`;
  const channels = channelKinds.map((kind): Channel => {
    const url = `${baseUrl}/sets/${id}/${kind}`;
    return {
      id: channelIdOf(id, kind),
      set: id,
      isPrivate,
      kind,
      profile,
      url,
      socketUrl: url.replace(/^http/, "ws"),
      topic: topics[kind] ?? url,
      hubUrl,
      capabilityListUrl,
    };
  });
  return {
    id,
    title,
    describedBy,
    isPrivate,
    baseline,
    watch,
    capabilities,
    profile,
    plainForm: declared.channels,
    channels,
    capabilityListUrl,
    resourceListUrl: `${baseUrl}/sets/${id}/resourcelist.xml`,
  };
}

/** `baseUrl` has no slash at its end; the ids of the sets differ, and so do the topics. */
export function createChannels(hub: {
  readonly baseUrl: string;
  readonly sets: readonly DeclaredSet[];
}): Channels {
  const { baseUrl } = hub;
  const hubUrl = `${baseUrl}/websub`;
  const sets = hub.sets.map((declared) => resourceSet(baseUrl, hubUrl, declared));
  const all = sets.flatMap(({ channels }) => channels);
  const channelOfId = new Map<string, Channel>(all.map((channel) => [channel.id, channel]));
  const channelOfTopic = new Map(all.map((channel) => [comparableUrl(channel.topic), channel]));
  return {
    baseUrl,
    hubUrl,
    sourceDescriptionUrl: `${baseUrl}/.well-known/resourcesync`,
    sets,
    all,
    find: (set, kind) => channelOfId.get(`${set}/${kind}`),
    byId: (id) => channelOfId.get(id),
    byTopic: (url) => channelOfTopic.get(comparableUrl(url)),
  };
}

/** Those that everybody may know of. */
export function publicSets({ sets }: Pick<Channels, "sets">): readonly ResourceSet[] {
  return sets.filter(({ isPrivate }) => !isPrivate);
}
