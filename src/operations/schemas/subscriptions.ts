import { z } from "zod";
import { circuitState } from "./observed.ts";
import { attempt, count, datetime, next, note, paging, position } from "./values.ts";

const recorded = attempt.omit({ answer: true }).extend({
  position,
  attempt: count.describe("from 1"),
  outcome: z.enum(["delivered", "failed", "gone"]),
});

const state = z.enum(["active", "failing", "paused"]);
export type SubscriptionState = z.output<typeof state>;

export const subscription = z.object({
  id: z.string(),
  channel: z.string(),
  topic: z.string().describe("as the subscriber wrote it"),
  callback: z.string().describe("the whole URL, which may itself be a secret"),
  state,
  position: position.describe("of the last notification that was delivered, parked or skipped"),
  paused: z
    .object({
      since: datetime.optional(),
      because: z.enum(["operator", "exhausted"]),
      note: z.string().optional(),
    })
    .optional(),
  lag: z.object({
    notifications: count.describe("that wait in the log"),
    seconds: count.describe("age of the oldest that waits; 0 where none does"),
  }),
  failing: z
    .object({
      attempts: count,
      firstFailedAt: datetime,
      nextAttemptAt: datetime.optional().describe("absent while it is paused"),
      last: attempt,
    })
    .optional()
    .describe("of the notification that follows `position`"),
  lastAttempt: recorded.optional().describe("absent where no record of one is kept any more"),
  circuit: circuitState
    .optional()
    .describe("of the callback's server, where the process that answers knows it"),
  deadLetters: count,
  exhausted: z.enum(["park", "pause"]).describe("what becomes of a notification after its last attempt"),
  leaseEndsAt: datetime,
  createdAt: datetime,
  signed: z.boolean().describe("whether the subscriber gave a secret"),
});

export const subscriptionsQuery = z.strictObject({
  channel: z.string().max(200).optional().describe("id of a channel"),
  state: state.optional(),
  callback: z.string().max(2000).optional().describe("text that stands somewhere in the callback's URL"),
  behind: z.coerce.number<number>().int().min(1).optional().describe("at least so many notifications wait"),
  id: z
    .string()
    .regex(/^[\w-]{4,22}$/, "expected at least 4 characters with which an id begins")
    .optional()
    .describe("with which the id begins"),
  ...paging,
});

export const subscriptionPage = z.object({ subscriptions: z.array(subscription), next });

export type ListedSubscription = z.output<typeof subscription>;
export type SubscriptionsQuery = z.output<typeof subscriptionsQuery>;
export type SubscriptionPage = z.output<typeof subscriptionPage>;

export const changeBody = z.strictObject({
  exhausted: z.enum(["park", "pause", "default"]).describe("`default`: as the configuration says"),
});

export const pauseBody = z.strictObject({ note: note.optional() });

/** WebSub §5.1: less than 200 bytes. */
const maxSecretBytes = 199;

export const secretBody = z.strictObject({
  secret: z
    .string()
    .min(1)
    .refine((text) => Buffer.byteLength(text) <= maxSecretBytes, "expected at most 199 bytes")
    .optional()
    .describe("the new secret; where none is given, the hub makes one"),
  graceSeconds: z
    .int()
    .min(0)
    .max(2_678_400)
    .optional()
    .describe("how long the old secret signs too; where it is left out, delivery.secretGrace"),
});

export const rotatedSecret = z.object({
  id: z.string(),
  secret: z.string().describe("told this once"),
  oldOneUntil: datetime,
});

export const recordsQuery = z.strictObject({
  outcome: z.enum(["delivered", "failed", "gone"]).optional(),
  limit: paging.limit,
});

export const recordList = z.object({
  attempts: z.array(recorded).describe("newest first"),
});

export type RecordList = z.output<typeof recordList>;
export type RecordsQuery = z.output<typeof recordsQuery>;
export type SecretBody = z.output<typeof secretBody>;
export type RotatedSecret = z.output<typeof rotatedSecret>;

export const endQuery = z.strictObject({
  reason: note.optional().describe("told to the callback (hub.reason)"),
});

export const ended = z.object({ id: z.string(), channel: z.string(), callback: z.string() });

export type Ended = z.output<typeof ended>;
