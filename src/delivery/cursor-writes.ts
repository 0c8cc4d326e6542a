import type { ChannelId } from "../channels/channel.ts";
import { createBatcher } from "./batcher.ts";
import type { Advance, Claim, DeliveryLedger } from "./delivery-ledger.ts";

/** Moves cursors and gives claims back, those of one channel that come at the same time in one round trip. */
export function createCursorWrites(ledger: Pick<DeliveryLedger, "advance" | "release">) {
  const writers = new Map<ChannelId, ReturnType<typeof writersOf>>();
  const writersOf = (channel: ChannelId) => ({
    advance: createBatcher((moves: readonly Advance[]) => ledger.advance(channel, moves)),
    release: createBatcher(async (claims: readonly Claim[]) => {
      const behind = new Set(await ledger.release(channel, claims));
      return claims.map(({ subscription }) => behind.has(subscription.id));
    }),
  });
  const of = (channel: ChannelId) => {
    const known = writers.get(channel) ?? writersOf(channel);
    writers.set(channel, known);
    return known;
  };
  return {
    /** `false` where the claim was lost. */
    advance: (move: Advance): Promise<boolean> => of(move.claim.subscription.channel).advance(move),
    /** Whether the subscription has unread notifications again. */
    release: (claim: Claim): Promise<boolean> => of(claim.subscription.channel).release(claim),
  };
}
