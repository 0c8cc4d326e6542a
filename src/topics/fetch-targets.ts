import type { ChannelId, SetId } from "../channels/channel.ts";
import type { Channels, ResourceSet } from "../channels/registry.ts";
import { comparableUrl } from "../protocol/websub.ts";

/** What a ping has fetched: a topic, or the Change List of a set. */
export type FetchTarget =
  { readonly kind: "topic"; readonly id: ChannelId } | { readonly kind: "change-list"; readonly set: SetId };

/** As the store names it. */
export function targetName(target: FetchTarget): string {
  return target.kind === "topic" ? `topic ${target.id}` : `change-list ${target.set}`;
}

/** The other way round; `undefined` for what an earlier configuration left. */
export function targetOfName(
  name: string,
  channels: Pick<Channels, "sets" | "byId">,
): FetchTarget | undefined {
  const [kind, id = ""] = name.split(" ");
  if (kind === "change-list") {
    const set = channels.sets.find((each) => each.id === id);
    return set && { kind, set: set.id };
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `targetName`
  return kind === "topic" ? { kind, id: id as ChannelId } : undefined;
}

/** Sets by the URL of the Change List that their Source keeps. */
export function setsByChangeList(sets: readonly ResourceSet[]): (url: string) => readonly SetId[] {
  const listed = sets.flatMap(({ id, capabilities: { changelist } }) =>
    changelist === undefined ? [] : [{ id, url: comparableUrl(changelist) }],
  );
  return (url) => listed.filter((each) => each.url === comparableUrl(url)).map(({ id }) => id);
}
