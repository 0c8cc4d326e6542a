import { z } from "zod";
import type { ChannelId } from "../channels/channel.ts";
import { type EmbeddedEnvironment, keysBelow } from "../log/embedded-environment.ts";
import { endOf, type RecordRings, type Ring } from "./record-rings.ts";
import { batchOfJson, batchToJson } from "./stored-records.ts";

const batchRow = z.object({ count: z.number().int().positive(), json: z.string() });

/** Few enough batches at a time that those who want a few records do not read them all. */
const pageLength = 16;

/** Records in LMDB, by channel, ring, the time when the batch ended, and a number that tells batches of one time apart. */
export function createEmbeddedRecordRings(environment: EmbeddedEnvironment): RecordRings {
  const rows = environment.table("delivery-records", batchRow);
  /** How many records each ring holds: the one process that owns the store counts them once. */
  const held = new Map<string, number>();
  let lastNumber = 0;

  const countHeld = (channel: ChannelId, ring: Ring): number => {
    let count = 0;
    for (const { row } of rows.range(keysBelow(channel, ring))) count += row.count;
    return count;
  };

  return {
    async append(channel, ring, batch, { max, cutoff }) {
      const name = `${channel} ${ring}`;
      lastNumber += 1;
      const key = [channel, ring, Math.max(...batch.map(endOf)), lastNumber];
      const left = await environment.write((changing) => {
        let count = (held.get(name) ?? countHeld(channel, ring)) + batch.length;
        rows.within(changing).put(key, { count: batch.length, json: batchToJson(batch) });
        for (const old of rows.range(keysBelow(channel, ring))) {
          if (count <= max && Number(old.key[2]) >= cutoff) break;
          rows.within(changing).remove(old.key);
          count -= old.row.count;
        }
        return count;
      });
      held.set(name, left);
    },
    async *newest(channel, ring) {
      const { from, to: end } = keysBelow(channel, ring);
      for (let to = end; ;) {
        const page = [...rows.range({ from, to, limit: pageLength, reverse: true })];
        for (const { row } of page) yield batchOfJson(row.json, `delivery records, ${channel}`);
        const last = page.at(-1);
        if (last === undefined || page.length < pageLength) return;
        to = [channel, ring, Number(last.key[2]), Number(last.key[3]) - 1];
      }
    },
  };
}
