import type { ChannelId } from "../channels/channel.ts";
import { createBatcher } from "./batcher.ts";
import type { Advance, DeliveryLedger } from "./delivery-ledger.ts";

/** Moves cursors, those of one channel that come at the same time in one round trip; `false` where the claim was lost. */
export function moveCursors(ledger: Pick<DeliveryLedger, "advance">): (move: Advance) => Promise<boolean> {
  const writers = new Map<ChannelId, (move: Advance) => Promise<boolean>>();
  return (move) => {
    const { channel } = move.claim.subscription;
    const write =
      writers.get(channel) ?? createBatcher((moves: readonly Advance[]) => ledger.advance(channel, moves));
    writers.set(channel, write);
    return write(move);
  };
}
