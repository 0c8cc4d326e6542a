import type { EmbeddedEnvironment } from "../log/embedded-environment.ts";
import type { ClaimsInMemory } from "./claims-in-memory.ts";
import type { Claim, DeliveryLedger, Failing, Paused } from "./delivery-ledger.ts";
import type { EmbeddedLetters } from "./embedded-letters.ts";
import { type EmbeddedProgress, isDue } from "./embedded-progress.ts";

interface LedgerOptions {
  readonly claims: ClaimsInMemory;
  readonly progress: EmbeddedProgress;
  readonly letters: EmbeddedLetters;
  readonly now: () => number;
}

/** Cursors in LMDB, claims in memory. */
export function createEmbeddedDeliveryLedger(
  environment: EmbeddedEnvironment,
  { claims, progress, letters, now: clock }: LedgerOptions,
): DeliveryLedger {
  /** The claim is given back only when its failure is on disk: whoever claims next must know of it. */
  const fail = async (claim: Claim, failing: Failing, paused: Paused | undefined): Promise<boolean> => {
    const failure = { failing, paused };
    const recorded = await environment.write(
      (changing) => claims.holds(claim) && progress.fail(changing, claim.subscription, failure),
    );
    return recorded && claims.release(claim);
  };

  return {
    claim: claimUnread(environment, claims, progress),
    async advance(_channel, moves) {
      return await environment.write((changing) =>
        moves.map((move) => claims.holds(move.claim) && progress.move(changing, move)),
      );
    },
    defer: (claim, failing) => fail(claim, failing, undefined),
    pause: (claim, failing) => fail(claim, failing, { at: clock(), because: "exhausted", note: undefined }),
    async park(move, letter, max) {
      return await environment.write((changing) => {
        if (!claims.holds(move.claim) || !progress.move(changing, move)) return { kind: "claim-lost" };
        return { kind: "parked", dropped: letters.park(changing, letter, max) };
      });
    },
    async release(channel, released) {
      const now = clock();
      const ids = released
        .filter((claim) => claims.release(claim))
        .map(({ subscription }) => subscription.id);
      const again = progress.unread(channel, ids).filter((unread) => isDue(unread.progress, now));
      return again.map(({ id }) => id);
    },
    async keep(channel, kept) {
      const now = clock();
      const isThere = ({ subscription: { id } }: Claim): boolean => progress.find(channel, id) !== undefined;
      return kept.filter((claim) => !isThere(claim) || !claims.keep(claim, now));
    },
    async backlog(channel, now) {
      const free = progress
        .unread(channel, progress.ids(channel))
        .filter(({ id }) => claims.isFree(channel, id, now));
      return {
        due: free.filter((unread) => isDue(unread.progress, now)).map(({ id }) => id),
        waiting: free.flatMap(({ id, progress: { failing } }) =>
          failing === undefined || failing.nextAttemptAt <= now ? [] : [{ id, at: failing.nextAttemptAt }],
        ),
      };
    },
    progress: async (channel, id) => progress.find(channel, id),
    nextResend: async (channel, id) => letters.nextMarked(channel, id),
    async settleResend(claim, sequence, kept) {
      const { channel, id } = claim.subscription;
      return await environment.write((changing) => {
        if (!claims.holds(claim)) return false;
        letters.settle(changing, channel, id, sequence, kept);
        return true;
      });
    },
    async forgetResends(claim) {
      const { channel, id } = claim.subscription;
      return await environment.write((changing) =>
        claims.holds(claim) ? letters.unmarkAll(changing, channel, id) : 0,
      );
    },
    ids: async (channel) => progress.ids(channel),
  };
}

function claimUnread(
  environment: EmbeddedEnvironment,
  claims: ClaimsInMemory,
  progress: EmbeddedProgress,
): DeliveryLedger["claim"] {
  return async (channel, ids, now) => {
    const unread = () => progress.unread(channel, ids === "all" ? progress.ids(channel) : ids);
    let candidates = unread();
    if (candidates.length > 0 && environment.hasFailed()) {
      // Without a store that remembers what is delivered, it would be delivered again with each claim that lapses.
      await environment.tryOut();
      // What is claimed is what the store says in the same turn.
      candidates = unread();
    }
    return candidates.flatMap(({ id, progress: standing, resends }) => {
      const subscription = progress.subscription(channel, id);
      if (subscription === undefined || !isDue(standing, now)) return [];
      if (!claims.isFree(channel, id, now)) return [];
      const fence = claims.take(channel, id, now);
      return [{ subscription, progress: standing, resends, fence, incarnation: environment.epoch }];
    });
  };
}
