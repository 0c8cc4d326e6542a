import { keysBelow, type EmbeddedEnvironment } from "../log/embedded-environment.ts";
import { embeddedResourceRows, rowsAtOnce } from "./embedded-resource-rows.ts";
import type { ResourceStore } from "./resource-store.ts";

/** One process, one machine: resources in LMDB. */
export function createEmbeddedResourceStore(environment: EmbeddedEnvironment): ResourceStore {
  const { heads, resources, blocks, editions, put, moveHead, removeSome } = embeddedResourceRows(environment);

  return {
    async head(channel) {
      return heads.get([channel]);
    },
    async begin(channel, edition, now) {
      await environment.write((changing) => editions.within(changing).put([channel, edition], now));
    },
    async fill(channel, edition, rows) {
      return await environment.write((changing) =>
        rows.reduce((added, row) => added + put(changing, [channel, edition], row), 0),
      );
    },
    async change(channel, expected, state, rows) {
      return await environment.write((changing) =>
        moveHead(changing, channel, expected, state, (before) => {
          const place = [channel, state.generation] as const;
          return rows.reduce((sum, row) => sum + put(changing, place, row), before);
        }),
      );
    },
    async replace(channel, expected, state, resources) {
      return await environment.write((changing) =>
        moveHead(changing, channel, expected, state, () => resources),
      );
    },
    async *listed(channel, edition) {
      const { from: first, to } = keysBelow(channel, edition);
      for (let from = first; ;) {
        const rows = [...resources.range({ from, to, limit: rowsAtOnce })];
        const last = rows.at(-1);
        // The range begins with the last row of the one before.
        const fresh = from === first ? rows : rows.slice(1);
        yield fresh.flatMap(({ row }) => (row.xml === "" ? [] : [row.xml]));
        if (last === undefined || rows.length < rowsAtOnce) return;
        from = last.key;
        await new Promise(setImmediate);
      }
    },
    async putBlock(channel, edition, list, block, bytes) {
      await environment.write((changing) =>
        blocks.within(changing).put([channel, edition, list, block], bytes),
      );
    },
    async block(channel, edition, list, block) {
      return blocks.get([channel, edition, list, block]);
    },
    async drop(channel, kept, begunBefore) {
      const known = [...editions.range(keysBelow(channel))];
      for (const { key, row: begunAt } of known) {
        const edition = String(key[1]);
        if (kept.includes(edition) || begunAt >= begunBefore) continue;
        while (await removeSome(channel, edition));
        await environment.write((changing) => editions.within(changing).remove(key));
      }
    },
  };
}
