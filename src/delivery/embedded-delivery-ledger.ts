import type { EmbeddedEnvironment } from "../log/embedded-environment.ts";
import { claimsInMemory } from "./claims-in-memory.ts";
import type { Claim, DeliveryLedger, Failing } from "./delivery-ledger.ts";
import { embeddedProgress, isDue } from "./embedded-progress.ts";

/** Cursors in LMDB, claims in memory. */
export function createEmbeddedDeliveryLedger(
  environment: EmbeddedEnvironment,
  { now: clock = Date.now }: { readonly now?: () => number } = {},
): DeliveryLedger {
  const progress = embeddedProgress(environment);
  const claims = claimsInMemory();

  /** The claim is given back only when its failure is on disk: whoever claims next must know of it. */
  const fail = async (claim: Claim, failure: { failing: Failing; paused: boolean }): Promise<boolean> => {
    const recorded = await environment.write(
      (changing) => claims.holds(claim) && progress.fail(changing, claim.subscription, failure),
    );
    return recorded && claims.release(claim);
  };

  return {
    async claim(channel, ids, now) {
      const candidates = progress.unread(channel, ids === "all" ? progress.ids(channel) : ids);
      return candidates.flatMap((unread) => {
        const subscription = progress.subscription(channel, unread.id);
        if (subscription === undefined || !isDue(unread.progress, now)) return [];
        if (!claims.isFree(channel, unread.id, now)) return [];
        return [{ subscription, progress: unread.progress, fence: claims.take(channel, unread.id, now) }];
      });
    },
    async advance(_channel, moves) {
      return await environment.write((changing) =>
        moves.map((move) => claims.holds(move.claim) && progress.move(changing, move)),
      );
    },
    defer: (claim, failing) => fail(claim, { failing, paused: false }),
    pause: (claim, failing) => fail(claim, { failing, paused: true }),
    async park(move, letter) {
      return await environment.write((changing) => {
        if (!claims.holds(move.claim) || !progress.move(changing, move)) return false;
        progress.park(changing, letter);
        return true;
      });
    },
    async resume(channel, id) {
      return await environment.write((changing) => progress.resume(changing, channel, id));
    },
    async release(channel, released) {
      const now = clock();
      const ids = released
        .filter((claim) => claims.release(claim))
        .map(({ subscription }) => subscription.id);
      const again = progress.unread(channel, ids).filter((unread) => isDue(unread.progress, now));
      return again.map(({ id }) => id);
    },
    async keep(_channel, kept) {
      const now = clock();
      return kept.filter((claim) => !claims.keep(claim, now)).map(({ subscription }) => subscription.id);
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
    deadLetters: async (channel, id) => progress.deadLetters(channel, id),
    ids: async (channel) => progress.ids(channel),
  };
}
