import { z } from "zod";
import { parsePosition } from "../protocol/position.ts";
import { storedChannelId, storedSubscriptionId } from "../subscriptions/stored-subscription.ts";
import type { DeadLetter } from "./dead-letters.ts";
import type { Failing, Paused } from "./delivery-ledger.ts";

const optionalText = z
  .string()
  .optional()
  .transform((text) => text);

/** `answer` is missing in records of earlier versions. */
const attemptRecord = z.object({
  at: z.number(),
  milliseconds: z.number(),
  status: z
    .number()
    .optional()
    .transform((status) => status),
  reason: z.string(),
  answer: optionalText,
});

/** Failures as both engines keep them. */
export const storedFailing: z.ZodType<Failing> = z.object({
  attempts: z.number().int().nonnegative(),
  firstFailedAt: z.number(),
  nextAttemptAt: z.number(),
  last: attemptRecord,
});

/** A pause as both engines keep it. */
export const storedPause: z.ZodType<Paused> = z.object({
  at: z.number(),
  because: z.enum(["operator", "exhausted"]),
  note: optionalText,
});

/** What an earlier version, which knew no other reason, kept of a pause. */
export function exhaustedPause(failing: Failing | undefined): Paused {
  return { at: failing?.last.at ?? 0, because: "exhausted", note: undefined };
}

/** A dead letter as both engines keep it; earlier versions did not say where it was in the log and when it was parked. */
export const storedDeadLetter: z.ZodType<DeadLetter> = z
  .object({
    channel: storedChannelId,
    subscription: storedSubscriptionId,
    sequence: z.number().int().positive(),
    position: optionalText.transform((text) => (text === undefined ? undefined : parsePosition(text))),
    attempts: z.number().int().nonnegative(),
    firstFailedAt: z.number(),
    parkedAt: z.number().optional(),
    last: attemptRecord,
    unsendable: optionalText,
  })
  .transform((letter) => ({
    ...letter,
    parkedAt: letter.parkedAt ?? letter.last.at + letter.last.milliseconds,
  }));
