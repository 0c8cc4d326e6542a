import type { ChannelId } from "../channels/channel.ts";
import type { SubscriptionId } from "../subscriptions/subscription.ts";
import { createBatcher } from "./batcher.ts";
import type { Claim, DeliveryLedger } from "./delivery-ledger.ts";

interface ClaimTimes {
  /** How long a claim holds that nobody keeps. Milliseconds. */
  readonly lasts: number;
  readonly now: () => number;
}

/**
 * What this process has claimed of one channel. Who asks at the same time asks together.
 *
 * A process that stood still finds that its claims have lapsed, and must not take over from itself what it is sending still. So it
 * claims nothing that it holds, and one call waits for the one before: it always knows what it holds.
 */
export function channelClaims(
  ledger: Pick<DeliveryLedger, "claim" | "keep" | "release">,
  channel: ChannelId,
  { lasts, now }: ClaimTimes,
) {
  const held = new Map<SubscriptionId, Claim>();
  const kept = async (claims: readonly Claim[]): Promise<readonly Claim[]> => {
    const lost = new Set(await ledger.keep(channel, claims));
    return claims.filter((claim) => !lost.has(claim));
  };
  const claimFree = async (ids: readonly SubscriptionId[]): Promise<readonly Claim[]> => {
    let asked = performance.now();
    let claims = await ledger.claim(channel, ids, now());
    // Where the process stood still before it read the answer, others may have taken over meanwhile.
    while (claims.length > 0 && performance.now() - asked > lasts / 2) {
      asked = performance.now();
      claims = await kept(claims);
    }
    return claims;
  };
  const letGo = (claim: Claim): void => {
    const { id } = claim.subscription;
    if (held.get(id) === claim) held.delete(id);
  };
  const giveBack = createBatcher(async (claims: readonly Claim[]) => {
    const behind = new Set(await ledger.release(channel, claims));
    return claims.map(({ subscription }) => behind.has(subscription.id));
  });

  return {
    /** Claims, of `ids`, those with work to do that nobody delivers to, this process included. */
    claim: createBatcher(async (calls: readonly (readonly SubscriptionId[])[]) => {
      const free = [...new Set(calls.flat())].filter((id) => !held.has(id));
      const claims = new Map<SubscriptionId, Claim>();
      for (const claim of free.length === 0 ? [] : await claimFree(free)) {
        claims.set(claim.subscription.id, claim);
        held.set(claim.subscription.id, claim);
      }
      return calls.map((ids) =>
        ids.flatMap((id) => {
          const claim = claims.get(id) ?? [];
          claims.delete(id);
          return claim;
        }),
      );
    }),
    holds: (id: SubscriptionId): boolean => held.has(id),
    /** Whether nobody took it away. */
    stillHolds: createBatcher(async (claims: readonly Claim[]) => {
      const those = new Set(await kept(claims));
      return claims.map((claim) => those.has(claim));
    }),
    /** Answers whether the subscription has work to do again. */
    release(claim: Claim): Promise<boolean> {
      letGo(claim);
      return giveBack(claim);
    },
    /** Before it is given back: whoever is woken from then on must find its subscription free. */
    letGo,
    /** Answers those that were taken away. */
    keep: async (): Promise<readonly Claim[]> =>
      held.size === 0 ? [] : await ledger.keep(channel, [...held.values()]),
  };
}
