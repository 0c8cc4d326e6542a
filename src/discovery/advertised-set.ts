import type { ResourceSet } from "../channels/registry.ts";
import type { ResourceLists } from "../resources/resource-lists.ts";

/** The list that the set's Capability List names: the Source's own before that of the hub; neither where there is none. */
export async function advertisedList(
  { id, capabilities, resourceListUrl }: ResourceSet,
  resourceLists: Pick<ResourceLists, "has">,
): Promise<string | undefined> {
  if (capabilities.resourcelist !== undefined) return capabilities.resourcelist;
  return (await resourceLists.has(id)) ? resourceListUrl : undefined;
}

/** The set as its Capability List shows it now. */
export async function advertisedSet(
  set: ResourceSet,
  resourceLists: Pick<ResourceLists, "has">,
): Promise<
  Omit<ResourceSet, "capabilities"> & { capabilities: Partial<Record<string, string | undefined>> }
> {
  const resourcelist = await advertisedList(set, resourceLists);
  return { ...set, capabilities: { resourcelist, ...set.capabilities } };
}
