import type { Channel } from "../channels/channel.ts";
import type { Channels, ResourceSet } from "../channels/registry.ts";
import { sha256Hex } from "../protocol/hash.ts";
import type { AnnouncedDocuments } from "./announced-documents.ts";
import { type HubDocuments, writeCapabilityList } from "./capability-list.ts";
import type { Announce } from "./framework-announcement.ts";
import { writeSourceDescription } from "./source-description.ts";

interface Parts {
  readonly channels: Channels;
  readonly describedBy: string | undefined;
  readonly documentsOf: (set: ResourceSet) => HubDocuments;
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
 * Announces what a new configuration changed in the Capability Lists, each on its own set's framework channel, and in the Source
 * Description, on all of them (framework notification 1.0.1 §2). What is seen for the first time is only remembered.
 */
export async function announceConfiguration(parts: Parts): Promise<void> {
  const { channels, describedBy, documentsOf, announced, announce, now } = parts;
  const { sourceDescriptionUrl: description } = channels;
  const documents: Document[] = channels.sets.map((set) => ({
    name: `capabilitylist ${set.id}`,
    body: writeCapabilityList(set, set.plainForm, description, documentsOf(set)),
    loc: set.capabilityListUrl,
    capability: "capabilitylist",
    up: description,
    tell: frameworkChannels(set.channels),
  }));
  documents.push({
    name: "description",
    body: writeSourceDescription(channels.sets, describedBy),
    loc: description,
    capability: "description",
    up: undefined,
    tell: frameworkChannels(channels.all),
  });

  for (const { name, body, loc, capability, up, tell } of documents) {
    const digest = sha256Hex(body);
    const before = await announced.get(name);
    if (before?.digest === digest) continue;
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
}
