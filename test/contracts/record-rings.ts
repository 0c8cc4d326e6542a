import { describe, expect, test } from "vitest";
import type { DeliveryRecord } from "../../src/delivery/delivery-records.ts";
import type { RecordRings, Ring } from "../../src/delivery/record-rings.ts";
import { type EngineName, openEngine } from "../support/engines.ts";
import { idOf } from "../support/new-delivery.ts";
import { testChannel } from "../support/new-notification.ts";

const channel = testChannel();
const start = 1_700_000_000_000;

const recordOf = (n: number): DeliveryRecord => ({
  at: start + n,
  subscription: idOf("a"),
  sequence: n,
  attempt: 1,
  milliseconds: 0,
  outcome: "delivered",
  status: n % 2 === 0 ? 204 : undefined,
  reason: n % 2 === 0 ? "" : "kein Anschluß",
});
const batchOf = (first: number, length: number): DeliveryRecord[] =>
  Array.from({ length }, (_, index) => recordOf(first + index));

async function held(rings: RecordRings, ring: Ring, of = channel): Promise<readonly DeliveryRecord[][]> {
  const batches: DeliveryRecord[][] = [];
  for await (const batch of rings.newest(of, ring)) batches.push([...batch]);
  return batches;
}

/** What every store of delivery records keeps to. */
export function recordRingsContract(engine: EngineName): void {
  const bounds = { max: 100, cutoff: 0 };

  describe("rings of delivery records", () => {
    test("batches come back newest first, as they were, each from its own ring, and after a restart", async () => {
      await using one = await openEngine(engine);
      await one.recordRings.append(channel, "delivered", batchOf(1, 3), bounds);
      await one.recordRings.append(channel, "failed", batchOf(50, 1), bounds);
      await using two = await one.reopen();
      await two.recordRings.append(channel, "delivered", batchOf(4, 2), bounds);
      expect(await held(two.recordRings, "delivered")).toEqual([batchOf(4, 2), batchOf(1, 3)]);
      expect(await held(two.recordRings, "failed")).toEqual([batchOf(50, 1)]);
      expect(await held(two.recordRings, "failed", testChannel("atlas"))).toEqual([]);
    });

    test("many batches are all read, also those that ended at the same time", async () => {
      await using store = await openEngine(engine);
      for (let n = 0; n < 40; n += 1) {
        await store.recordRings.append(channel, "failed", [{ ...recordOf(n), at: start }], bounds);
      }
      const sequences = (await held(store.recordRings, "failed")).flat().map(({ sequence }) => sequence);
      expect(sequences).toEqual(Array.from({ length: 40 }, (_, n) => 39 - n));
    });

    test("a ring holds so many records at most, whatever the length of its batches", async () => {
      await using one = await openEngine(engine);
      for (const [first, length] of [
        [1, 4],
        [5, 1],
        [6, 5],
      ] as const) {
        await one.recordRings.append(channel, "delivered", batchOf(first, length), { max: 10, cutoff: 0 });
      }
      await using store = await one.reopen();
      const lengths = async () => (await held(store.recordRings, "delivered")).map(({ length }) => length);
      expect(await lengths()).toEqual([5, 1, 4]);
      await store.recordRings.append(channel, "delivered", batchOf(11, 1), { max: 10, cutoff: 0 });
      expect(await lengths()).toEqual([1, 5, 1]);
      await store.recordRings.append(channel, "delivered", batchOf(12, 10), { max: 10, cutoff: 0 });
      expect(await lengths()).toEqual([10]);
    });

    test("what ended before the time that is kept goes with the next write", async () => {
      await using store = await openEngine(engine);
      await store.recordRings.append(channel, "delivered", batchOf(1, 2), bounds);
      await store.recordRings.append(channel, "delivered", batchOf(10, 2), bounds);
      await store.recordRings.append(channel, "delivered", batchOf(20, 2), { max: 100, cutoff: start + 5 });
      expect(await held(store.recordRings, "delivered")).toEqual([batchOf(20, 2), batchOf(10, 2)]);
    });
  });
}
