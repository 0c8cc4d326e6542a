import type { ChannelId } from "../channels/channel.ts";
import type { SubscriptionId } from "../subscriptions/subscription.ts";
import { createBatcher } from "./batcher.ts";
import type { Advance, Claim, DeliveryLedger } from "./delivery-ledger.ts";

export interface ClaimTimes {
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
  ledger: Pick<DeliveryLedger, "claim" | "keep" | "advance" | "release">,
  channel: ChannelId,
  { lasts, now }: ClaimTimes,
) {
  const held = new Map<SubscriptionId, Claim>();
  const lost = new WeakSet<Claim>();
  const kept = async (claims: readonly Claim[]): Promise<readonly Claim[]> => {
    for (const claim of await ledger.keep(channel, claims)) lost.add(claim);
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
  const move = createBatcher((moves: readonly Advance[]) => ledger.advance(channel, moves));
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
      await kept(claims);
      return claims.map((claim) => !lost.has(claim));
    }),
    /** Moves a cursor; `false` where the claim was lost. */
    advance: async (advance: Advance): Promise<boolean> => !lost.has(advance.claim) && (await move(advance)),
    /** Answers whether the subscription has work to do again. */
    release(claim: Claim): Promise<boolean> {
      letGo(claim);
      return giveBack(claim);
    },
    /** Before it is given back: whoever is woken from then on must find its subscription free. */
    letGo,
    /** Puts off the lapse of all that are held. */
    async keep(): Promise<void> {
      if (held.size > 0) await kept([...held.values()]);
    },
  };
}
