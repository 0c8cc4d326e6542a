import type { EmbeddedEnvironment } from "../log/embedded-environment.ts";
import { pendingFetch } from "./pending-fetch.ts";
import type { PendingRows } from "./pending-fetches.ts";

/** Pending fetches in LMDB: few at a time, so what is due is found by looking at all. */
export function createEmbeddedPendingRows(environment: EmbeddedEnvironment): PendingRows {
  const pending = environment.table("pending-fetches", pendingFetch);
  return {
    async change(target, next) {
      return await environment.write((changing) => {
        const rows = pending.within(changing);
        const before = rows.get([target]);
        const after = next(before);
        if (after === before) return before;
        if (after === undefined) {
          rows.remove([target]);
          return undefined;
        }
        const row = { ...after, revision: (before?.revision ?? 0) + 1 };
        rows.put([target], row);
        return row;
      });
    },
    async due(now, limit) {
      return [...pending.range({ from: [""], to: ["\u{10ffff}"] })]
        .filter(({ row }) => row.dueAt <= now)
        .toSorted((a, b) => a.row.dueAt - b.row.dueAt)
        .slice(0, limit)
        .map(({ key }) => String(key[0]));
    },
  };
}
