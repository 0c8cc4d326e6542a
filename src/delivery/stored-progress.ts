import { z } from "zod";
import { storedChannelId, storedSubscriptionId } from "../subscriptions/stored-subscription.ts";
import type { DeadLetter, Failing } from "./delivery-ledger.ts";

const attemptRecord = z.object({
  at: z.number(),
  milliseconds: z.number(),
  status: z
    .number()
    .optional()
    .transform((status) => status),
  reason: z.string(),
});

/** Failures as both engines keep them. */
export const storedFailing: z.ZodType<Failing> = z.object({
  attempts: z.number().int().nonnegative(),
  firstFailedAt: z.number(),
  nextAttemptAt: z.number(),
  last: attemptRecord,
});

/** A dead letter as both engines keep it. */
export const storedDeadLetter: z.ZodType<DeadLetter> = z.object({
  channel: storedChannelId,
  subscription: storedSubscriptionId,
  sequence: z.number().int().positive(),
  attempts: z.number().int().nonnegative(),
  firstFailedAt: z.number(),
  last: attemptRecord,
});
