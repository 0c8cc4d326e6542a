import type { EmbeddedEnvironment } from "../log/embedded-environment.ts";
import type { ClaimsInMemory } from "./claims-in-memory.ts";
import { type DeliveryControl, maxPauseNote } from "./delivery-control.ts";
import type { EmbeddedProgress } from "./embedded-progress.ts";

interface ControlOptions {
  readonly claims: ClaimsInMemory;
  readonly progress: EmbeddedProgress;
  readonly now: () => number;
}

/** An operator's hand on what the ledger keeps in LMDB and in memory. */
export function createEmbeddedDeliveryControl(
  environment: EmbeddedEnvironment,
  { claims, progress, now }: ControlOptions,
): DeliveryControl {
  return {
    async pause(channel, id, note) {
      const paused = { at: now(), because: "operator", note: note?.slice(0, maxPauseNote) } as const;
      return await environment.write((changing) => {
        if (!progress.pauseByOperator(changing, channel, id, paused)) return false;
        // Within the write: no move of the claim comes after the pause in the same group.
        claims.break(channel, id);
        return true;
      });
    },
    async resume(channel, id) {
      return await environment.write((changing) => progress.resume(changing, channel, id));
    },
    async hasten(channel, id) {
      return await environment.write((changing) => progress.hasten(changing, channel, id));
    },
    async rewind(channel, id, to) {
      return await environment.write((changing) => {
        const outcome = progress.rewind(changing, channel, id, to);
        if (outcome === "rewound") claims.break(channel, id);
        return outcome;
      });
    },
  };
}
