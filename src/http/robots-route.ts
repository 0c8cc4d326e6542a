import type { Request, Response } from "express";
import type { ResourceSet } from "../channels/registry.ts";
import { advertisedList } from "../discovery/advertised-set.ts";
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
