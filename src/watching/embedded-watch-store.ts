import { z } from "zod";
import type { EmbeddedEnvironment } from "../log/embedded-environment.ts";
import { storedMark, storedPending, storedSchedule } from "./stored-watch.ts";
import type { WatchStore } from "./watch-store.ts";

const bytes = z.instanceof(Buffer);
const headRow = z.object({ revision: z.number(), mark: storedMark });
const pendingRow = storedPending.extend({ payload: bytes, seen: bytes });

/** One process, one machine: marks in LMDB, claims in the process's memory. */
export function createEmbeddedWatchStore(environment: EmbeddedEnvironment): WatchStore {
  const heads = environment.table("watch-marks", headRow);
  const digests = environment.table("watch-digests", bytes);
  const pendings = environment.table("watch-pending", pendingRow);
  const schedules = environment.table("watch-schedules", storedSchedule);
  const claims = new Map<string, { readonly holder: string; readonly until: number }>();

  return {
    async read(channel) {
      const head = heads.get([channel]);
      if (head === undefined) return undefined;
      const seen = digests.get([channel]) ?? Buffer.alloc(0);
      return { ...head, seen, pending: pendings.get([channel]) };
    },
    async change(channel, expected, { mark, seen, pending }) {
      return await environment.write((changing) => {
        const revision = heads.within(changing).get([channel])?.revision ?? 0;
        if (revision !== expected) return false;
        heads.within(changing).put([channel], { revision: revision + 1, mark });
        if (seen !== undefined) digests.within(changing).put([channel], seen);
        if (pending === undefined) pendings.within(changing).remove([channel]);
        else pendings.within(changing).put([channel], pending);
        return true;
      });
    },
    async schedule(channel) {
      return schedules.get([channel]);
    },
    async claim(channel, holder, now, lapse) {
      const held = claims.get(channel);
      if (held !== undefined && held.holder !== holder && held.until > now) return false;
      claims.set(channel, { holder, until: now + lapse });
      return true;
    },
    async release(channel, holder) {
      if (claims.get(channel)?.holder === holder) claims.delete(channel);
    },
    async conclude(channel, holder, schedule) {
      await environment.write((changing) => schedules.within(changing).put([channel], schedule));
      if (claims.get(channel)?.holder === holder) claims.delete(channel);
    },
  };
}
