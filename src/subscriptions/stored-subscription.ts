import { z } from "zod";
import type { ChannelId } from "../channels/channel.ts";
import type { IntentRequest, Subscription, SubscriptionId } from "./subscription.ts";

const isText = (value: unknown): boolean => typeof value === "string" && value !== "";

/** Checked when they were put: here only that they are still text. */
export const storedChannelId = z.custom<ChannelId>(isText);
export const storedSubscriptionId = z.custom<SubscriptionId>(isText);

const secret = z
  .string()
  .optional()
  .transform((text) => text);

const authority = z
  .object({
    from: z.string(),
    name: z.string(),
    until: z
      .number()
      .optional()
      .transform((until) => until),
  })
  .optional()
  .transform((holder) => holder);

/** A subscription as both engines keep it. */
export const storedSubscription: z.ZodType<Subscription> = z.object({
  id: storedSubscriptionId,
  channel: storedChannelId,
  topic: z.string(),
  callback: z.string(),
  secret,
  previousSecret: z
    .object({ secret: z.string(), until: z.number() })
    .optional()
    .transform((previous) => previous),
  exhausted: z
    .enum(["park", "pause"])
    .optional()
    .transform((exhausted) => exhausted),
  authority,
  leaseSeconds: z.number(),
  expiresAt: z.number(),
  createdAt: z.number(),
});

/** A request as both engines keep it. */
export const storedIntent: z.ZodType<IntentRequest> = z.object({
  id: z.string(),
  mode: z.enum(["subscribe", "unsubscribe"]),
  subscription: storedSubscriptionId,
  channel: storedChannelId,
  topic: z.string(),
  callback: z.string(),
  secret,
  leaseSeconds: z.number(),
  authority,
  askedAt: z.number(),
});
