import type { ChannelId } from "../channels/channel.ts";
import { createBatcher } from "./batcher.ts";
import type { Claim, DeliveryLedger } from "./delivery-ledger.ts";

/** Keeps the claims of this process from lapsing as long as it delivers under them. */
export function keepClaims(
  ledger: Pick<DeliveryLedger, "keep">,
  /** How long a claim holds that nobody keeps. Milliseconds. */
  lasts: number,
  onLost: (claim: Claim) => void,
) {
  const held = new Map<ChannelId, Set<Claim>>();
  const asking = new Map<ChannelId, (claim: Claim) => Promise<boolean>>();
  /** Those of a channel that ask at the same time ask together. */
  const askAbout = (channel: ChannelId) => {
    const ask =
      asking.get(channel) ??
      createBatcher(async (claims: readonly Claim[]) => {
        const lost = new Set(await ledger.keep(channel, claims));
        return claims.map((claim) => !lost.has(claim));
      });
    asking.set(channel, ask);
    return ask;
  };

  let keptAt = performance.now();
  const keepAll = async (): Promise<void> => {
    keptAt = performance.now();
    for (const [channel, claims] of held) {
      const asked = [...claims];
      if (asked.length === 0) continue;
      try {
        for (const claim of await ledger.keep(channel, asked)) onLost(claim);
      } catch {
        // The store is away: a claim that lapses meanwhile shows at the next move of its cursor.
      }
    }
  };
  const timer = setInterval(() => void keepAll(), lasts / 3);
  timer.unref();

  return {
    add(channel: ChannelId, claim: Claim): void {
      const claims = held.get(channel) ?? new Set();
      held.set(channel, claims.add(claim));
    },
    remove(channel: ChannelId, claim: Claim): void {
      held.get(channel)?.delete(claim);
    },
    /**
     * Keeps them before anything is claimed, where the last time is too long ago: a process that stood still must not take
     * over from itself what lapsed meanwhile.
     */
    async keepIfLate(): Promise<void> {
      if (performance.now() - keptAt > (lasts * 2) / 3) await keepAll();
    },
    /** Whether nobody took it away. Throws `StorageUnavailable`. */
    holds: (claim: Claim): Promise<boolean> => askAbout(claim.subscription.channel)(claim),
    close(): void {
      clearInterval(timer);
    },
  };
}
