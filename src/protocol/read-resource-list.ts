import type { Instant } from "./instant.ts";
import { createListReader, type ListFaults, type ListReader } from "./read-list.ts";
import type { ReadingLimits } from "./reading-limits.ts";
import { type ListedResource, listedResource } from "./resource-entry.ts";
import { core } from "./rule.ts";
import { instantOf } from "./rules-of-times.ts";
import type { XmlElement } from "./xml-element.ts";

export interface ResourceListHead {
  readonly form: "urlset" | "sitemapindex";
  readonly at: Instant;
  readonly completed: Instant | undefined;
}

/** What a list must say to be of use: of which moment it is. */
function requireMoment(element: XmlElement, at: Instant | undefined, faults: ListFaults): void {
  if (at !== undefined || faults.has("T01") || faults.has("V04")) return;
  const says = 'the top-level rs:md has no "at"; it says which changes are in the list';
  faults.add({ id: "T01", severity: "error", source: `${core} §10` }, { element, says }, 0);
}

/** Reads a Resource List, or the index of some (core 1.1 §10). */
export function createResourceListReader(
  limits: ReadingLimits,
): ListReader<ListedResource, ResourceListHead> {
  return createListReader<ListedResource, ResourceListHead>(
    {
      capability: "resourcelist",
      section: "§10",
      name: "Resource List",
      listed: listedResource,
      headOf({ md, form }, faults) {
        const at = instantOf(md, "at");
        if (md !== undefined) requireMoment(md, at, faults);
        if (form === undefined || at === undefined) return undefined;
        return { form, at, completed: instantOf(md, "completed") };
      },
    },
    limits,
  );
}
