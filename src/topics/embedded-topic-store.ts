import { z } from "zod";
import type { ChannelId } from "../channels/channel.ts";
import { type EmbeddedEnvironment, keysBelow } from "../log/embedded-environment.ts";
import { fetchedTopic, nameOf, namesOf } from "./topic-elsewhere.ts";
import type { TopicStore } from "./topic-store.ts";

/** Fetched topics in LMDB. */
export function createEmbeddedTopicStore(environment: EmbeddedEnvironment): TopicStore {
  const topics = environment.table("topics", fetchedTopic);
  const names = environment.table(
    "topic-names",
    z.custom<ChannelId>((value) => typeof value === "string"),
  );

  return {
    async all() {
      return [...topics.range({ from: [""], to: ["\u{10ffff}"] })].map(({ row }) => row);
    },
    async find(id) {
      return topics.get([id]);
    },
    async named(url) {
      return [...names.range(keysBelow(nameOf(url)))].flatMap(({ row: id }) => topics.get([id]) ?? []);
    },
    async replace(before, after) {
      return await environment.write((changing) => {
        const rows = topics.within(changing);
        if (rows.get([after.id])?.revision !== before?.revision) return false;
        const index = names.within(changing);
        if (before !== undefined) for (const name of namesOf(before)) index.remove([name, before.id]);
        for (const name of namesOf(after)) index.put([name, after.id], after.id);
        rows.put([after.id], after);
        return true;
      });
    },
    async remove(before) {
      return await environment.write((changing) => {
        const rows = topics.within(changing);
        if (rows.get([before.id])?.revision !== before.revision) return false;
        for (const name of namesOf(before)) names.within(changing).remove([name, before.id]);
        rows.remove([before.id]);
        return true;
      });
    },
  };
}
