import type { ChannelId } from "../channels/channel.ts";
import type { SubscriptionId } from "../subscriptions/subscription.ts";
import type { Claim } from "./delivery-ledger.ts";

interface Holding {
  readonly fence: number;
  readonly lapsesAt: number;
}

/** The claims of the one process that owns the store. They die with it, so that all subscriptions are free when it comes back. */
export function claimsInMemory(
  claimMilliseconds: number,
  /** Of a claim's time; `now` is that of the callers, whose clock may jump. */
  time: (now: number) => number = () => performance.now(),
) {
  const holdings = new Map<string, Holding>();
  let lastFence = 0;
  const nameOf = (channel: ChannelId, id: SubscriptionId): string => `${channel} ${id}`;
  const nameOfClaim = ({ subscription }: Claim): string => nameOf(subscription.channel, subscription.id);
  const holds = (claim: Claim): boolean => holdings.get(nameOfClaim(claim))?.fence === claim.fence;

  return {
    isFree(channel: ChannelId, id: SubscriptionId, now: number): boolean {
      const holding = holdings.get(nameOf(channel, id));
      return holding === undefined || holding.lapsesAt <= time(now);
    },
    /** Answers the fence of the new claim. */
    take(channel: ChannelId, id: SubscriptionId, now: number): number {
      lastFence += 1;
      holdings.set(nameOf(channel, id), { fence: lastFence, lapsesAt: time(now) + claimMilliseconds });
      return lastFence;
    },
    /** A lapsed claim still holds as long as nobody took it over. */
    holds,
    keep(claim: Claim, now: number): boolean {
      if (!holds(claim)) return false;
      holdings.set(nameOfClaim(claim), { fence: claim.fence, lapsesAt: time(now) + claimMilliseconds });
      return true;
    },
    /** Takes the claim away from whoever has it. */
    break(channel: ChannelId, id: SubscriptionId): void {
      holdings.delete(nameOf(channel, id));
    },
    release(claim: Claim): boolean {
      return holds(claim) && holdings.delete(nameOfClaim(claim));
    },
  };
}

export type ClaimsInMemory = ReturnType<typeof claimsInMemory>;
