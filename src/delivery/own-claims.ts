import type { ChannelId } from "../channels/channel.ts";
import type { SubscriptionId } from "../subscriptions/subscription.ts";
import { channelClaims, type ClaimTimes } from "./channel-claims.ts";
import type { Advance, Claim, DeliveryLedger, Failing } from "./delivery-ledger.ts";

/**
 * The claims of this process, which keeps them from lapsing as long as it delivers under them. What asks the store throws
 * `StorageUnavailable`.
 */
export function ownClaims(
  ledger: Pick<DeliveryLedger, "claim" | "keep" | "advance" | "release" | "defer" | "pause">,
  times: ClaimTimes,
) {
  const channels = new Map<ChannelId, ReturnType<typeof channelClaims>>();
  const of = (channel: ChannelId) => {
    const claims = channels.get(channel) ?? channelClaims(ledger, channel, times);
    channels.set(channel, claims);
    return claims;
  };
  const ofClaim = ({ subscription }: Claim) => of(subscription.channel);

  const keepAll = async (): Promise<void> => {
    for (const claims of channels.values()) {
      try {
        await claims.keep();
      } catch {
        // The store is away: a claim that lapses meanwhile shows at the next move of its cursor.
      }
    }
  };
  const timer = setInterval(() => void keepAll(), times.lasts / 3);
  timer.unref();

  return {
    claim: (channel: ChannelId, ids: readonly SubscriptionId[]) => of(channel).claim(ids),
    holds: (channel: ChannelId, id: SubscriptionId): boolean => of(channel).holds(id),
    stillHolds: (claim: Claim) => ofClaim(claim).stillHolds(claim),
    advance: (move: Advance) => ofClaim(move.claim).advance(move),
    release: (claim: Claim) => ofClaim(claim).release(claim),
    /** As those of the ledger, which give the claim back. */
    defer: (claim: Claim, failing: Failing): Promise<boolean> => {
      ofClaim(claim).letGo(claim);
      return ledger.defer(claim, failing);
    },
    pause: (claim: Claim, failing: Failing): Promise<boolean> => {
      ofClaim(claim).letGo(claim);
      return ledger.pause(claim, failing);
    },
    /** Leaves it to lapse, unless it is given back already. */
    letGo: (claim: Claim): void => ofClaim(claim).letGo(claim),
    close: (): void => clearInterval(timer),
  };
}
