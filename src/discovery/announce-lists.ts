import type { Channel } from "../channels/channel.ts";
import { type Channels, publicSets, type ResourceSet } from "../channels/registry.ts";
import { sha256Hex } from "../protocol/hash.ts";
import type { ResourceLists } from "../resources/resource-lists.ts";
import { advertisedSet } from "./advertised-set.ts";
import type { AnnouncedDocuments } from "./announced-documents.ts";
import { type HubDocuments, writeCapabilityList } from "./capability-list.ts";
import type { Announce } from "./framework-announcement.ts";
import { inLots } from "./in-lots.ts";
import { writeSourceDescription } from "./source-description.ts";

interface Parts {
  readonly channels: Channels;
  readonly describedBy: string | undefined;
  readonly documentsOf: (set: ResourceSet) => HubDocuments;
  readonly resourceLists: Pick<ResourceLists, "has">;
  readonly announced: AnnouncedDocuments;
  readonly announce: Announce;
  readonly now: () => number;
}

interface Document {
  readonly name: string;
  readonly body: string;
  readonly loc: string;
  readonly capability: "description" | "capabilitylist";
  readonly up: string | undefined;
  readonly tell: readonly Channel[];
}

function frameworkChannels(channels: readonly Channel[]): Channel[] {
  return channels.filter(({ kind }) => kind === "framework-notification");
}

/**
 * Announces what has changed in the Capability Lists (by a new configuration, or because a set got its Resource List), each on its
 * own set's framework channel, and in the Source Description, on all of them (framework notification 1.0.1 §2). What is seen
 * for the first time is only remembered.
 *
 * The answer looks once. A document that this process found unchanged since its last look is passed over, so that processes
 * with an old and a new configuration do not announce against each other.
 */
export function announcingLists(parts: Parts): () => Promise<void> {
  /** By set: the Resource List that its Capability List named. Nothing else in these documents changes while a process runs. */
  const named = new Map<string, string | undefined>();
  let isDescribed = false;

  const announceSet = async (set: ResourceSet): Promise<void> => {
    const advertised = await advertisedSet(set, parts.resourceLists);
    const { resourcelist } = advertised.capabilities;
    if (named.has(set.id) && named.get(set.id) === resourcelist) return;
    const { sourceDescriptionUrl: up } = parts.channels;
    await announceDocument(parts, {
      name: `capabilitylist ${set.id}`,
      body: writeCapabilityList(advertised, set.plainForm, up, parts.documentsOf(set)),
      loc: set.capabilityListUrl,
      capability: "capabilitylist",
      up,
      tell: frameworkChannels(set.channels),
    });
    named.set(set.id, resourcelist);
  };
  const announceDescription = async (): Promise<void> => {
    if (isDescribed) return;
    await announceDocument(parts, descriptionOf(parts));
    isDescribed = true;
  };
  const looks = [...parts.channels.sets.map((set) => () => announceSet(set)), announceDescription];
  return () => inLots(looks, (look) => look());
}

function descriptionOf({ channels, describedBy }: Parts): Document {
  return {
    name: "description",
    body: writeSourceDescription(publicSets(channels), describedBy),
    loc: channels.sourceDescriptionUrl,
    capability: "description",
    up: undefined,
    tell: frameworkChannels(channels.all),
  };
}

async function announceDocument(parts: Parts, document: Document): Promise<void> {
  const { announced, announce, now } = parts;
  const { name, loc, capability, up, tell } = document;
  const digest = sha256Hex(document.body);
  const before = await announced.get(name);
  if (before?.digest === digest) return;
  const version = (before?.version ?? 0) + 1;
  if (before !== undefined) {
    const datetime = new Date(now()).toISOString();
    for (const channel of tell) {
      await announce(channel, `${name} ${version}`, {
        up,
        datetime,
        changes: [{ loc, change: "updated", capability }],
      });
    }
  }
  await announced.put(name, { digest, version });
}
