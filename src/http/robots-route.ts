import type { Request, Response } from "express";
import type { ResourceSet } from "../channels/registry.ts";
import type { ResourceLists } from "../resources/resource-lists.ts";

/** Where crawlers find the Resource List of each set: it is a sitemap (ResourceSync 1.1 §6.3.4). */
export function robotsRoute(sets: readonly ResourceSet[], resourceLists: Pick<ResourceLists, "has">) {
  return async (_request: Request, response: Response): Promise<void> => {
    const lists = await Promise.all(sets.map((set) => advertisedList(set, resourceLists)));
    const lines = lists.flatMap((url) => (url === undefined ? [] : [`Sitemap: ${url}\n`]));
    response.setHeader("Content-Type", "text/plain; charset=utf-8");
    response.end(`User-agent: *\nDisallow:\n${lines.length > 0 ? "\n" : ""}${lines.join("")}`);
  };
}

/** The list that the set's Capability List names: the Source's own before that of the hub; neither where there is none. */
export async function advertisedList(
  { id, capabilities, resourceListUrl }: ResourceSet,
  resourceLists: Pick<ResourceLists, "has">,
): Promise<string | undefined> {
  if (capabilities.resourcelist !== undefined) return capabilities.resourcelist;
  return (await resourceLists.has(id)) ? resourceListUrl : undefined;
}
