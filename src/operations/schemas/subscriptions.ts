import { z } from "zod";
import { count, datetime, next, paging, position } from "./values.ts";

const state = z.enum(["active", "failing", "paused"]);
export type SubscriptionState = z.output<typeof state>;

const attempt = z.object({
  at: datetime,
  milliseconds: count,
  status: z.int().optional().describe("absent where no answer came"),
  reason: z.string().describe("why it failed, in words; empty after a success"),
});

export const subscription = z.object({
  id: z.string(),
  channel: z.string(),
  topic: z.string().describe("as the subscriber wrote it"),
  callback: z.string().describe("the whole URL, which may itself be a secret"),
  state,
  position: position.describe("of the last notification that was delivered, parked or skipped"),
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
  deadLetters: count,
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
