import { z } from "zod";
import { checkJsonRow } from "../log/stored-row.ts";
import { storedSubscriptionId } from "../subscriptions/stored-subscription.ts";
import type { DeliveryRecord } from "./delivery-records.ts";

/** Without the names of the fields, which would be half of it. */
const storedRecord = z
  .tuple([
    z.number(),
    storedSubscriptionId,
    z.number(),
    z.number(),
    z.number(),
    z.enum(["delivered", "failed", "gone"]),
    z.number().nullable(),
    z.string(),
  ])
  .transform(
    ([at, subscription, sequence, attempt, milliseconds, outcome, status, reason]): DeliveryRecord => ({
      at,
      subscription,
      sequence,
      attempt,
      milliseconds,
      outcome,
      status: status ?? undefined,
      reason,
    }),
  );
const storedBatch = z.array(storedRecord);

/** A batch of records as both engines keep it. */
export function batchToJson(batch: readonly DeliveryRecord[]): string {
  return JSON.stringify(
    batch.map(({ at, subscription, sequence, attempt, milliseconds, outcome, status, reason }) => [
      at,
      subscription,
      sequence,
      attempt,
      milliseconds,
      outcome,
      status ?? null,
      reason,
    ]),
  );
}

export function batchOfJson(json: string, where: string): readonly DeliveryRecord[] {
  return checkJsonRow(storedBatch, json, where);
}
