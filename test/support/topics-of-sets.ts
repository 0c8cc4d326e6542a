import type { Channels } from "../../src/channels/registry.ts";
import type { Topics } from "../../src/channels/topic.ts";

/** The topics of the configured sets, for parts that run without a store of topics that live elsewhere. */
export function topicsOfSets({ all, byId }: Pick<Channels, "all" | "byId">): Topics {
  return { all: async () => all, byId: async (id) => byId(id) };
}
