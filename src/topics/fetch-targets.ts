import type { ChannelId, SetId } from "../channels/channel.ts";
import type { Channels, ResourceSet } from "../channels/registry.ts";
import { comparableUrl } from "../protocol/websub.ts";

/** What a ping has fetched: a topic, or a Change List of a set's Source. */
export type FetchTarget =
  | { readonly kind: "topic"; readonly id: ChannelId }
  | { readonly kind: "change-list"; readonly set: SetId; readonly url: string };

/** As the store names it. */
export function targetName(target: FetchTarget): string {
  return target.kind === "topic" ? `topic ${target.id}` : `change-list ${target.set} ${target.url}`;
}

/** The other way round; `undefined` for what an earlier configuration left. */
export function targetOfName(
  name: string,
  channels: Pick<Channels, "sets" | "byId">,
): FetchTarget | undefined {
  const [kind, id = "", url = ""] = name.split(" ");
  if (kind === "change-list") {
    const set = channels.sets.find((each) => each.id === id);
    return set && { kind, set: set.id, url };
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `targetName`
  return kind === "topic" ? { kind, id: id as ChannelId } : undefined;
}

/** The Change Lists that Sources keep of their sets, as the configuration names them. */
export function changeListsOf(
  sets: readonly ResourceSet[],
): readonly { readonly kind: "change-list"; readonly set: SetId; readonly url: string }[] {
  return sets.flatMap(({ id: set, capabilities: { changelist }, watch }) =>
    [...new Set([changelist, watch])].flatMap((url) =>
      url === undefined ? [] : [{ kind: "change-list" as const, set, url }],
    ),
  );
}

/** What a ping of such a URL has fetched. */
export function changeListTargets(sets: readonly ResourceSet[]): (url: string) => readonly FetchTarget[] {
  const lists = changeListsOf(sets);
  return (pinged) => lists.filter(({ url }) => comparableUrl(url) === comparableUrl(pinged));
}
