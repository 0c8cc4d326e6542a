import { z } from "zod";
import { type EmbeddedEnvironment, keysBelow } from "../log/embedded-environment.ts";
import type { ClosedLists } from "./closed-lists.ts";
import { placeOfOpen, storedClosedList, storedOpenList } from "./stored-lists.ts";

const listsRow = z.object({ open: storedOpenList, changedAt: z.number(), announced: z.number() });

/** Change Lists in LMDB. */
export function createEmbeddedClosedLists(environment: EmbeddedEnvironment): ClosedLists {
  const lists = environment.table("change-lists", listsRow);
  const closedLists = environment.table("closed-change-lists", storedClosedList);
  const documents = environment.table("closed-change-list-documents", z.instanceof(Buffer));

  return {
    async state(channel) {
      return lists.get([channel]);
    },
    async open(channel, next, before, closed) {
      return await environment.write((changing) => {
        const row = lists.within(changing).get([channel]);
        const [present, expected] = [row?.open, before].map((open) => open && placeOfOpen(open));
        if (present !== expected) return false;
        const announced = row?.announced ?? 0;
        lists.within(changing).put([channel], { open: next, changedAt: next.openedAt, announced });
        if (closed !== undefined) {
          const key = [channel, closed.list.n];
          closedLists.within(changing).put(key, closed.list);
          documents.within(changing).put(key, closed.gzipped);
        }
        return true;
      });
    },
    async list(channel) {
      return [...closedLists.range(keysBelow(channel))].map(({ row }) => row);
    },
    async read(channel, n) {
      const [list, gzipped] = [closedLists.get([channel, n]), documents.get([channel, n])];
      return list === undefined || gzipped === undefined ? undefined : { list, gzipped };
    },
    async markAnnounced(channel, n) {
      await environment.write((changing) => {
        const row = lists.within(changing).get([channel]);
        if (row === undefined || row.announced >= n) return;
        lists.within(changing).put([channel], { ...row, announced: n });
      });
    },
    async drop(channel, n, at) {
      return await environment.write((changing) => {
        const gone = [...closedLists.range({ from: [channel, 0], to: [channel, n + 1] })];
        for (const { key } of gone) {
          closedLists.within(changing).remove(key);
          documents.within(changing).remove(key);
        }
        const row = lists.within(changing).get([channel]);
        if (gone.length > 0 && row !== undefined) {
          lists.within(changing).put([channel], { ...row, changedAt: at });
        }
        return gone.length;
      });
    },
  };
}
