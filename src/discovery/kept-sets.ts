import type { Channel } from "../channels/channel.ts";
import type { Channels } from "../channels/registry.ts";
import { changeListUrls, type ChangeListUrls } from "./change-list-urls.ts";
import { createListKeeper, type KeeperParts, type ListKeeper } from "./list-keeper.ts";

/** A set of resources whose Change Lists the hub makes. */
export interface KeptSet {
  readonly channel: Channel;
  readonly framework: Channel | undefined;
  readonly urls: ChangeListUrls;
  readonly keeper: ListKeeper;
}

/** Every set whose Source keeps no Change List itself, by id. */
export function keptSets(
  { sets }: Pick<Channels, "sets">,
  parts: Omit<KeeperParts, "channel" | "urls">,
): ReadonlyMap<string, KeptSet> {
  const kept = new Map<string, KeptSet>();
  for (const set of sets) {
    const channel = set.channels.find(({ kind }) => kind === "change-notification");
    if (channel === undefined || set.capabilities.changelist !== undefined) continue;
    const framework = set.channels.find(({ kind }) => kind === "framework-notification");
    const urls = changeListUrls(set.capabilityListUrl);
    kept.set(set.id, {
      channel,
      framework,
      urls,
      keeper: createListKeeper({ ...parts, channel: channel.id, urls }),
    });
  }
  return kept;
}
