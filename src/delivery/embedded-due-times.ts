import type { ClaimsInMemory } from "./claims-in-memory.ts";
import type { DueTimes } from "./delivery-ledger.ts";
import { type EmbeddedProgress, isDue } from "./embedded-progress.ts";

/** From the rows and the claims that the ledger looks at. */
export function embeddedDueTimes({
  claims,
  progress,
}: {
  readonly claims: Pick<ClaimsInMemory, "isFree">;
  readonly progress: Pick<EmbeddedProgress, "unread">;
}): DueTimes {
  return {
    async dueIn(channel, id, now) {
      const [unread] = progress.unread(channel, [id]);
      if (unread === undefined || !claims.isFree(channel, id, now)) return undefined;
      const { failing } = unread.progress;
      return failing === undefined || isDue(unread.progress, now) ? 0 : failing.nextAttemptAt - now;
    },
  };
}
