import { writeDocument } from "../protocol/write-document.ts";
import type { AdvertisedSet } from "./capability-list.ts";

/** The Source Description (core 1.1 §8): every set of resources that this hub has channels for. */
export function writeSourceDescription(
  sets: readonly AdvertisedSet[],
  describedBy: string | undefined,
): string {
  return writeDocument({
    links: describedBy === undefined ? [] : [{ rel: "describedby", href: describedBy }],
    metadata: { capability: "description" },
    entries: sets.map((set) => ({
      loc: set.capabilityListUrl,
      metadata: { capability: "capabilitylist" },
      links: set.describedBy === undefined ? [] : [{ rel: "describedby", href: set.describedBy }],
    })),
  });
}
