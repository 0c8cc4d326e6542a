import type { ChannelId } from "../channels/channel.ts";
import type { DeliveryRecord, RecordedOutcome } from "./delivery-records.ts";

/** Successes and failures, each with a bound of its own. */
export const rings = ["delivered", "failed"] as const;

export type Ring = (typeof rings)[number];

export function ringOf(outcome: RecordedOutcome): Ring {
  return outcome === "delivered" ? "delivered" : "failed";
}

/** Batches of delivery records, of which the oldest go. Every method throws `StorageUnavailable`. */
export interface RecordRings {
  /**
   * Adds one batch, oldest first and no longer than `max`, and lets go of old batches until the ring holds `max` records at most
   * and none whose batch ended before `cutoff` (milliseconds since 1970).
   */
  append(
    channel: ChannelId,
    ring: Ring,
    batch: readonly DeliveryRecord[],
    bounds: { readonly max: number; readonly cutoff: number },
  ): Promise<void>;
  /** The batches, newest first; each still oldest first. */
  newest(channel: ChannelId, ring: Ring): AsyncIterable<readonly DeliveryRecord[]>;
}

/** When the attempt ended, in milliseconds since 1970: the order in which records are kept. */
export function endOf({ at, milliseconds }: DeliveryRecord): number {
  return at + milliseconds;
}
