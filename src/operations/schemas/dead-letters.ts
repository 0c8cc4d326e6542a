import { z } from "zod";
import { attempt, count, datetime, dryRun, flag, next, paging, position, since } from "./values.ts";

const deadLetter = z.object({
  id: z.string().describe("that of the subscription, a dot, and the notification's number"),
  channel: z.string(),
  subscription: z.string(),
  callback: z.string(),
  position: position.optional(),
  attempts: count,
  firstFailedAt: datetime,
  parkedAt: datetime,
  last: attempt,
  unsendable: z.string().optional().describe("why it could not be sent again"),
});

export const deadLetterInFull = deadLetter.extend({
  payload: z.string().optional().describe("absent where the log no longer holds it"),
  contentType: z.string().optional(),
  receivedAt: datetime.optional(),
});

const chosen = {
  channel: z.string().max(200).optional().describe("id of a channel"),
  subscription: z.string().max(100).optional().describe("id of a subscription"),
};

export const deadLettersQuery = z.strictObject({ ...chosen, since: since.optional(), ...paging });
export const deadLetterPage = z.object({ deadLetters: z.array(deadLetter), next });

export const resendBody = z.strictObject({ ...chosen, since, dryRun });
export const dropQuery = z.strictObject({ ...chosen, since, dryRun: flag });

export const resent = z.object({
  dryRun: z.boolean(),
  letters: count.describe("that are sent again"),
  gone: count.describe("that cannot be sent, because the log no longer holds them"),
});
export const dropped = z.object({ dryRun: z.boolean(), letters: count });

export type ListedDeadLetter = z.output<typeof deadLetter>;
export type DeadLetterInFull = z.output<typeof deadLetterInFull>;
export type DeadLettersQuery = z.output<typeof deadLettersQuery>;
export type Resent = z.output<typeof resent>;
export type Dropped = z.output<typeof dropped>;
export type ChosenLettersQuery = z.output<typeof resendBody>;
