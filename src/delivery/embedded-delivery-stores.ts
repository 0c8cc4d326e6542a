import type { EmbeddedEnvironment } from "../log/embedded-environment.ts";
import { claimMilliseconds, type DeliveryLedger, type DueTimes } from "./delivery-ledger.ts";
import { claimsInMemory } from "./claims-in-memory.ts";
import { createEmbeddedDeadLetters } from "./embedded-dead-letters.ts";
import { createEmbeddedDeliveryControl } from "./embedded-delivery-control.ts";
import { createEmbeddedDeliveryLedger } from "./embedded-delivery-ledger.ts";
import { embeddedDueTimes } from "./embedded-due-times.ts";
import { embeddedLetters } from "./embedded-letters.ts";
import { embeddedProgress } from "./embedded-progress.ts";
import { createEmbeddedRecordRings } from "./embedded-record-rings.ts";

/** What delivery keeps in LMDB, over the claims in the memory of the one process that owns the store. */
export function createEmbeddedDeliveryStores(
  environment: EmbeddedEnvironment,
  {
    now: clock,
    claim = claimMilliseconds,
  }: { readonly now?: () => number; readonly claim?: number | undefined } = {},
) {
  const now = clock ?? Date.now;
  // A test that gives the time gives that of claims, too.
  const claims = claimsInMemory(claim, clock === undefined ? undefined : (at) => at);
  const letters = embeddedLetters(environment);
  const progress = embeddedProgress(environment, letters);
  const ledger: DeliveryLedger & DueTimes = {
    ...createEmbeddedDeliveryLedger(environment, { claims, progress, letters, now }),
    ...embeddedDueTimes({ claims, progress }),
  };
  return {
    ledger,
    control: createEmbeddedDeliveryControl(environment, { claims, progress, now }),
    recordRings: createEmbeddedRecordRings(environment),
    deadLetters: createEmbeddedDeadLetters(environment, letters),
  };
}
